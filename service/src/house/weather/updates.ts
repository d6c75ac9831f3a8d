import { MINUTE_MS } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { isNotMoving } from '../moving.ts'
import { type FetchedWeather, type Place, placeKey, type WeatherProvider } from './weather.ts'

interface WeatherParts {
  store: Store
  clock: Clock
  logger: Logger
  provider: WeatherProvider
  /** From 0 to 1; spreads requests, so that many services do not ask at the same second. */
  random: () => number
}

const JITTER_MS = 5 * MINUTE_MS
const RETRY_MS = 10 * MINUTE_MS
const TIMEOUT_MS = 20_000

interface DuePlace {
  key: string
  place: Place
  buildingIds: string[]
  lastModified: string | null
}

/** Asks for the weather of every place that is due: one request for all neighbours. */
export async function updateWeather(parts: WeatherParts, stopping?: AbortSignal): Promise<void> {
  for (const due of await duePlaces(parts)) {
    if (stopping?.aborted) return
    await updatePlace(parts, due, stopping)
  }
}

async function updatePlace(parts: WeatherParts, due: DuePlace, stopping?: AbortSignal): Promise<void> {
  const { store, clock, logger, provider, random } = parts
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(stopping ? [stopping] : [])])
  try {
    const fetched = await provider.fetch(due.place, { lastModified: due.lastModified }, signal)
    const dueAt = Math.round(fetched.expiresAt + random() * JITTER_MS)
    if ('forecast' in fetched) await store.batch(saving(store, due, fetched, dueAt))
    else await postpone(store, due.key, dueAt, clock.now())
  } catch (err) {
    if (stopping?.aborted) return
    // The last known values stay; the next attempt is a while away.
    logger.warn({ err, place: due.key }, 'no weather')
    await postpone(store, due.key, Math.round(clock.now() + RETRY_MS * (1 + random())), clock.now())
  }
}

async function duePlaces({ store, clock }: WeatherParts): Promise<DuePlace[]> {
  const buildings = await store.db
    .selectFrom('buildings')
    .select(['id', 'lat', 'lng'])
    .where(isNotMoving('buildings.id'))
    .execute()
  const known = await store.db.selectFrom('forecasts').select(['place', 'dueAt', 'lastModified']).execute()
  const byKey = new Map(known.map((row) => [row.place, row]))
  return [...Map.groupBy(buildings, placeKey)].flatMap(([key, neighbours]) => {
    const last = byKey.get(key)
    if (last && last.dueAt > clock.now()) return []
    const [lat = 0, lng = 0] = key.split(',').map(Number)
    const buildingIds = neighbours.map(({ id }) => id)
    return [{ key, place: { lat, lng }, buildingIds, lastModified: last?.lastModified ?? null }]
  })
}

function saving({ db }: Store, { key, buildingIds }: DuePlace, fetched: FetchedWeather, dueAt: number) {
  const { updatedAt, current, lastModified } = fetched
  const forecast = { updatedAt, dueAt, lastModified, forecast: JSON.stringify(fetched.forecast) }
  return [
    db
      .insertInto('forecasts')
      .values({ place: key, ...forecast })
      .onConflict((conflict) => conflict.column('place').doUpdateSet(forecast)),
    ...buildingIds.map((buildingId) =>
      db
        .insertInto('weather')
        .values({ buildingId, updatedAt, ...current })
        .onConflict((conflict) => conflict.column('buildingId').doUpdateSet({ updatedAt, ...current })),
    ),
  ]
}

async function postpone({ db }: Store, place: string, dueAt: number, nowMs: number): Promise<void> {
  await db
    .insertInto('forecasts')
    .values({ place, updatedAt: nowMs, dueAt })
    .onConflict((conflict) => conflict.column('place').doUpdateSet({ dueAt }))
    .execute()
}
