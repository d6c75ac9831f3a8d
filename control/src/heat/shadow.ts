import { setpointAt } from '@hypocaust/domain'
import { SLOT_S } from '../room/state.ts'
import type { History, RoomSettings } from '../room/types.ts'
import { explained, type KnownRoom } from './explained.ts'
import { replayRoom } from './what-if.ts'

/** Kelvin-hours below the comfort band, above it while the setpoint is not lowered, and heat. */
export type Result = { belowKh: number; aboveKh: number; heatKwhM2: number }

/** Twice the standard error of the sum, from how much single days differ. */
export type Difference = { value: number; plusMinus: number }

/** What another thermostat made of some days, and what the law would have made of the same days. */
export type Shadow = {
  days: number
  other: Result
  ours: Result
  /** Ours minus the other's. */
  kelvinHours: Difference
  heatKwhM2: Difference
}

const DAY_SLOTS = 48
const SLOT_H = SLOT_S / 3600
const FEWEST_DAYS = 2

type Pair = { other: Result; ours: Result }

/**
 * The law on the room's own model over the recorded days, against what was measured in them. The weather that came is
 * taken as forecast. Null where less than two days with readings are recorded.
 */
export function shadowOf(room: KnownRoom, history: History, settings: RoomSettings): Shadow | null {
  const replayed = replayRoom(room, history, settings)
  if (!replayed) return null
  const taken = new Map(explained(room, history).map((each) => [each.slot.endMs, each]))
  const pairs = replayed.slots.flatMap((slot): Pair[] => {
    const real = taken.get(slot.endMs)
    if (!real || real.slot.airC === null) return []
    return [
      {
        other: { ...outsideBand(real.slot.airC, slot.endMs, settings), heatKwhM2: real.heatKwhM2 },
        ours: { ...outsideBand(slot.airC, slot.endMs, settings), heatKwhM2: slot.heatKwhM2 },
      },
    ]
  })
  const days = Array.from({ length: Math.floor(pairs.length / DAY_SLOTS) }, (_, day) =>
    pairs.slice(day * DAY_SLOTS, (day + 1) * DAY_SLOTS),
  )
  if (days.length < FEWEST_DAYS) return null
  const counted = days.flat()
  return {
    days: days.length,
    other: total(counted.map(({ other }) => other)),
    ours: total(counted.map(({ ours }) => ours)),
    kelvinHours: difference(days, ({ belowKh, aboveKh }) => belowKh + aboveKh),
    heatKwhM2: difference(days, ({ heatKwhM2 }) => heatKwhM2),
  }
}

function outsideBand(airC: number, endMs: number, settings: RoomSettings): Pick<Result, 'belowKh' | 'aboveKh'> {
  const { setpointC, isLowered } = setpointAt(settings, endMs - SLOT_S * 500)
  return {
    belowKh: Math.max(0, setpointC - settings.bandK - airC) * SLOT_H,
    aboveKh: isLowered ? 0 : Math.max(0, airC - setpointC - settings.bandK) * SLOT_H,
  }
}

const total = (results: Result[]): Result => ({
  belowKh: sum(results.map(({ belowKh }) => belowKh)),
  aboveKh: sum(results.map(({ aboveKh }) => aboveKh)),
  heatKwhM2: sum(results.map(({ heatKwhM2 }) => heatKwhM2)),
})

function difference(days: Pair[][], pick: (result: Result) => number): Difference {
  const perDay = days.map((day) => sum(day.map(({ ours, other }) => pick(ours) - pick(other))))
  const mean = sum(perDay) / perDay.length
  const variance = sum(perDay.map((value) => (value - mean) ** 2)) / (perDay.length - 1)
  return { value: sum(perDay), plusMinus: 2 * Math.sqrt(variance * perDay.length) }
}

const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0)
