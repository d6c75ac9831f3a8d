import { HOUR_MS } from '@hypocaust/domain/facts'
import { efficiencyOf } from '../model/efficiency.ts'
import type { Energy } from '../model/heat-cost.ts'
import { modelOf } from '../model/model.ts'
import { forecastAt } from '../room/forecast.ts'
import { solarOf } from '../room/outside.ts'
import { SLOT_S } from '../room/state.ts'
import type { Forecast, History, RoomSettings, Slot } from '../room/types.ts'
import type { KnownRoom } from './explained.ts'
import { type Replayed, type ReplayedRise, type ReplayedSlot, replayRoom } from './what-if.ts'

/** What some days take and give under given settings. */
export type Figures = {
  heatKwhM2: number
  /** In the currency of the prices; null where one of them is not known. */
  costM2: number | null
  /** Kelvin-hours below the comfort band. */
  belowKh: number
  /** Higher setpoints of the programme, and when the air reached them. */
  rises: ReplayedRise[]
}

/** The same days under the settings of now and under others. */
export type Compared = { days: number; now: Figures; changed: Figures }

export type Comparison = {
  /** The recorded days; null where less than a day is recorded. */
  past: Compared | null
  /** The coming week: as far as the forecast reaches, then days like those recorded. */
  ahead: Compared | null
}

/** What a kWh costs that the heat source consumes; null where that is not known. */
export type PriceAt = (atMs: number) => number | null

export type CompareTask = {
  room: KnownRoom
  history: History
  forecast: Forecast | null
  nowMs: number
  now: RoomSettings
  changed: RoomSettings
  energy: Energy | null
}

const SLOT_MS = SLOT_S * 1000
const DAY_SLOTS = 48
const AHEAD_SLOTS = 7 * DAY_SLOTS
/** So much of the record precedes the coming week, for the state of the floor. */
const LEAD_SLOTS = 3 * DAY_SLOTS

/** What other settings would have made of the recorded days, and will make of the coming week. */
export function compareSettings(task: CompareTask, priceAt: PriceAt | null): Comparison {
  const { room, history, nowMs } = task
  const record = history.filter(({ endMs }) => endMs <= nowMs)
  const lead = record.slice(-LEAD_SLOTS)
  const last = lead.at(-1)
  const isCurrent = last !== undefined && nowMs - last.endMs < DAY_SLOTS * SLOT_MS
  const week = isCurrent ? [...lead, ...slotsAhead(task, record, last.endMs)] : []
  return {
    past: compared(task, record, 0, priceAt, room),
    ahead: isCurrent ? compared(task, week, nowMs, priceAt, room) : null,
  }
}

function compared(
  { now, changed, energy }: CompareTask,
  slots: History,
  fromMs: number,
  priceAt: PriceAt | null,
  room: KnownRoom,
): Compared | null {
  const play = (settings: RoomSettings) => replayRoom(room, slots, settings, energy)
  const before = play(now)
  const isSame = JSON.stringify(now) === JSON.stringify(changed)
  const after = isSame ? before : play(changed)
  if (!before || !after) return null
  const figures = (replayed: Replayed, settings: RoomSettings) =>
    figuresOf(replayed, settings, fromMs, energy, priceAt, room)
  const counted = before.slots.filter(({ endMs }) => endMs > fromMs)
  return { days: counted.length / DAY_SLOTS, now: figures(before, now), changed: figures(after, changed) }
}

function figuresOf(
  { slots, rises }: Replayed,
  { bandK }: RoomSettings,
  fromMs: number,
  energy: Energy | null,
  priceAt: PriceAt | null,
  room: KnownRoom,
): Figures {
  const counted = slots.filter(({ endMs }) => endMs > fromMs)
  const below = counted.map(({ setpointC, airC }) => Math.max(0, setpointC - bandK - airC) * (SLOT_S / 3600))
  return {
    heatKwhM2: sum(counted.map(({ heatKwhM2 }) => heatKwhM2)),
    costM2: priceAt && costOf(counted, energy, priceAt, room),
    belowKh: sum(below),
    rises: rises.filter(({ atMs }) => atMs > fromMs),
  }
}

function costOf(slots: ReplayedSlot[], energy: Energy | null, priceAt: PriceAt, room: KnownRoom): number | null {
  const model = modelOf(room.floorType, room.learned)
  let cost = 0
  for (const { endMs, heatKwhM2, outdoorC } of slots) {
    const price = priceAt(endMs - SLOT_MS / 2)
    if (price === null) return null
    cost += (price * heatKwhM2) / efficiencyOf(energy?.source ?? null, model, outdoorC)
  }
  return cost
}

/** Half hours to come, without readings and without heat of their own. */
function slotsAhead({ forecast, nowMs, room }: CompareTask, record: History, lastMs: number): Slot[] {
  const climate = climateOf(record)
  const knownUntilMs = forecast ? forecast.startMs + (forecast.hourly.length - 1) * HOUR_MS : 0
  const count = Math.ceil((nowMs - lastMs) / SLOT_MS) + AHEAD_SLOTS
  return Array.from({ length: count }, (_, i) => {
    const endMs = lastMs + (i + 1) * SLOT_MS
    const middleMs = endMs - SLOT_MS / 2
    const weather = forecast && middleMs <= knownUntilMs ? forecastAt(forecast, middleMs) : null
    return {
      endMs,
      airC: null,
      power: 0,
      ...(weather
        ? { outdoorC: weather.outdoorC, windMs: weather.windMs, solarWm2: solarOf(weather, middleMs, room.location) }
        : climate(endMs)),
    }
  })
}

type Climate = Pick<Slot, 'outdoorC' | 'windMs' | 'solarWm2'>

/** The mean of the same half hour on the recorded days. */
function climateOf(record: History): (endMs: number) => Climate {
  const at = (endMs: number) => Math.floor(endMs / SLOT_MS) % DAY_SLOTS
  const byHalfHour = Map.groupBy(record, ({ endMs }) => at(endMs))
  return (endMs) => {
    const same = byHalfHour.get(at(endMs)) ?? record
    const mean = (pick: (slot: Slot) => number) => sum(same.map(pick)) / same.length
    return {
      outdoorC: mean(({ outdoorC }) => outdoorC),
      windMs: mean(({ windMs }) => windMs),
      solarWm2: mean(({ solarWm2 }) => solarWm2),
    }
  }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
