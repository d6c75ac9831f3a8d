import { type Compared, errorOfSaving, type Figures, SLOT_S } from '@hypocaust/control'
import {
  currencyOf,
  DAY_MS,
  HOUR_MS,
  programmeOfNight,
  programmeProblems,
  timestampOf,
  type WhatIfAnswer,
  type WhatIfFigures,
  type WhatIfQuestion,
  type WhatIfSpan,
} from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { pastPrices } from '../heat/past-prices.ts'
import type { ControlledBuilding } from '../heating/controlled-building.ts'
import { lawInputs } from '../heating/outlook.ts'
import { slotsOf } from '../heating/slots.ts'
import type { RoomScope } from '../rooms/write.ts'
import { tariffOf } from '../source/settings.ts'
import type { Replays } from './replays.ts'

const PAST_DAYS = 28
const AHEAD_DAYS = 8
const SHOWN_RISES_MS = 2 * DAY_MS
/** Later than this is late; the replay itself sees half hours. */
const LATE_MS = HOUR_MS

interface Parts {
  store: Store
  availability: Availability
  replays: Replays
}

/** What other settings would make of a room: nothing is written. */
export async function whatIf(
  { store, availability, replays }: Parts,
  scope: RoomScope,
  question: WhatIfQuestion,
  nowMs: number,
): Promise<WhatIfAnswer> {
  const { state, input, room, building } = await lawInputs(store, availability, scope, nowMs)
  const changes = changesOf(question)
  const history = await slotsOf(store, scope.roomId, nowMs - PAST_DAYS * DAY_MS)
  const currency = currencyOf(tariffOf(building)?.kind ?? null, building.timezone)
  if (!state) return { currency, ahead: null, past: null, warm_by: [] }
  const settled = { ...input.settings, hold: null, override: null, away: null, calendar: null, vacancy: null }
  const compared = await replays.ask({
    kind: 'what-if',
    room: state,
    history,
    forecast: input.forecast,
    nowMs,
    now: settled,
    changed: { ...settled, ...changes },
    energy: input.energy ?? null,
    prices: await pricesFor(store, building, nowMs),
  })
  const rises = compared.ahead?.changed.rises ?? []
  return {
    currency,
    ahead: compared.ahead && spanOf(compared.ahead, room.areaM2),
    past: compared.past && spanOf(compared.past, room.areaM2),
    warm_by: rises
      .filter(({ atMs }) => atMs < nowMs + SHOWN_RISES_MS)
      .map(({ atMs, setpointC, warmAtMs }) => ({
        at: timestampOf(atMs),
        setpoint: setpointC,
        warm_at: warmAtMs === null ? null : timestampOf(warmAtMs),
      })),
  }
}

function changesOf({ target_temperature: targetC, night_mode: night, programme }: WhatIfQuestion) {
  if (night && programme) throw errors.invalidValue('Either night_mode or programme must be given.')
  const [problem] = programme ? programmeProblems(programme) : []
  if (problem) throw errors.invalidValue(`${['programme', ...problem.path].join('.')} ${problem.message}.`)
  const plan = programme ?? (night ? programmeOfNight(night) : null)
  return {
    ...(targetC !== undefined && { targetC }),
    ...((night !== undefined || programme !== undefined) && { programme: plan }),
  }
}

/** By the hour; null where there is no tariff. Only the market's prices differ from day to day. */
async function pricesFor(store: Store, building: ControlledBuilding, nowMs: number) {
  const tariff = tariffOf(building)
  if (!tariff) return null
  const priceAt = await pastPrices(store, building)
  const firstMs = Math.floor((nowMs - PAST_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS
  const ofDay = new Map<number, number | null>()
  const prices = new Map<number, number | null>()
  for (let atMs = firstMs; atMs < nowMs + AHEAD_DAYS * DAY_MS; atMs += HOUR_MS) {
    const key = tariff.kind === 'market' || tariff.kind === 'gateway' ? atMs : atMs % DAY_MS
    if (!ofDay.has(key)) ofDay.set(key, priceAt(atMs))
    prices.set(atMs, ofDay.get(key) ?? null)
  }
  return prices
}

function spanOf({ days, now, changed }: Compared, areaM2: number | null): WhatIfSpan {
  const share = changed.heatKwhM2 / now.heatKwhM2 - 1
  const error = share === 0 ? 0 : errorOfSaving(share)
  return {
    days: Math.round(days * 10) / 10,
    now: figuresOf(now, areaM2),
    changed: figuresOf(changed, areaM2),
    heat_percent: now.heatKwhM2 > 0 ? { value: rounded(100 * share), plus_minus: rounded(100 * error) } : null,
  }
}

const figuresOf = ({ heatKwhM2, costM2, belowKh, rises }: Figures, areaM2: number | null): WhatIfFigures => ({
  heat_kwh: areaM2 === null ? null : rounded(heatKwhM2 * areaM2),
  cost: areaM2 === null || costM2 === null ? null : Math.round(costM2 * areaM2 * 100) / 100,
  below_kh: rounded(belowKh),
  late: rises.filter(({ atMs, warmAtMs }) => warmAtMs === null || warmAtMs - atMs > LATE_MS + SLOT_S * 1000).length,
  rises: rises.length,
})

const rounded = (value: number): number => Math.round(value * 10) / 10
