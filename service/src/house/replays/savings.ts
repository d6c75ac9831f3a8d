import { type Saving, SLOT_S } from '@hypocaust/control'
import { DAY_MS, type RoomSavings } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { lawInputs } from '../heating/outlook.ts'
import { slotsOf } from '../heating/slots.ts'
import type { RoomScope } from '../rooms/write.ts'
import type { Replays } from './replays.ts'

const PAST_DAYS = 28
/** Of less the weather of single days would be the result. */
const LEAST_DAYS = 7
/** A replay takes a second of a processor, and from one day to the next the result moves by less than its error. */
const REPLAYED_AGAIN_AFTER_MS = 7 * DAY_MS

interface Parts {
  store: Store
  availability: Availability
  replays: Pick<Replays, 'ask'>
}

/**
 * Keeps what half a degree less, and setbacks an hour earlier, would have saved in a room: replayed where its settings
 * have changed since the last time, or after a week. Nothing is kept of a room that is not known well enough.
 */
export async function keepSavings({ store, availability, replays }: Parts, scope: RoomScope, nowMs: number) {
  const { roomId } = scope
  const { state, input } = await lawInputs(store, availability, scope, nowMs)
  const history = await slotsOf(store, roomId, nowMs - PAST_DAYS * DAY_MS)
  const days = Math.round((history.length * SLOT_S) / 8640) / 10
  const settings = { ...input.settings, hold: null, override: null, away: null, calendar: null, vacancy: null }
  if (!state || state.fit.accepted === 0 || days < LEAST_DAYS || settings.steering.kind !== 'automatic')
    return forget(store, roomId)
  const replayed = { replayedAt: nowMs, settings: JSON.stringify(settings) }
  if (await isFresh(store, roomId, replayed)) return
  const { halfDegree, hourOfNight } = await replays.ask({ kind: 'savings', room: state, history, settings })
  if (!halfDegree) return forget(store, roomId)
  await keep(store, roomId, replayed, {
    days,
    target_temperature: settings.targetC,
    half_degree_less: percentOf(halfDegree),
    setback_hour_earlier: hourOfNight && percentOf(hourOfNight),
  })
}

/** The settings of a replay as JSON, and when it was. */
interface Replayed {
  replayedAt: number
  settings: string
}

async function isFresh({ db }: Store, roomId: string, { replayedAt, settings }: Replayed): Promise<boolean> {
  const last = await db
    .selectFrom('roomSavings')
    .select(['replayedAt', 'settings'])
    .where('roomId', '=', roomId)
    .executeTakeFirst()
  // Either way: a clock that was set back leaves times in the future.
  return last?.settings === settings && Math.abs(replayedAt - last.replayedAt) < REPLAYED_AGAIN_AFTER_MS
}

async function keep({ db }: Store, roomId: string, replayed: Replayed, savings: RoomSavings): Promise<void> {
  const row = { ...replayed, savings: JSON.stringify(savings) }
  await db
    .insertInto('roomSavings')
    .values({ roomId, ...row })
    .onConflict((conflict) => conflict.column('roomId').doUpdateSet(row))
    .execute()
}

async function forget({ db }: Store, roomId: string): Promise<void> {
  await db.deleteFrom('roomSavings').where('roomId', '=', roomId).execute()
}

const percentOf = ({ share, error }: Saving) => ({ percent: rounded(100 * share), plus_minus: rounded(100 * error) })

const rounded = (value: number): number => Math.round(value * 10) / 10
