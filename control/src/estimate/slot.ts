import { locationOf, solarOf, UNKNOWN_WEATHER } from '../room/outside.ts'
import { emptySlot, type RoomControl, SLOT_S, type SlotSums } from '../room/state.ts'
import type { Slot, StepInput } from '../room/types.ts'
import { waterNowC } from '../room/water.ts'

/** Readings of the last ten minutes stand for the end of the slot. */
const END_S = 600

/** Adds a tick to the half hour it belongs to; hands out the half hour when it is over. */
export function recordSlot(
  state: RoomControl,
  before: RoomControl,
  input: StepInput,
  power: number,
): { sums: SlotSums; slot: Slot | null } {
  const { nowMs } = input
  const dtS = Math.max(0, nowMs - before.updatedMs) / 1000
  const sums = added(before.slot, state, input, power, Math.min(dtS, SLOT_S))
  if (nowMs < sums.endMs && sums.endMs - nowMs <= SLOT_S * 1000) return { sums, slot: null }
  const complete = sums.seconds > 0.6 * SLOT_S && nowMs - sums.endMs < SLOT_S * 1000 && nowMs >= sums.endMs
  return { sums: emptySlot(nowMs), slot: complete ? finished(sums) : null }
}

function added(sums: SlotSums, state: RoomControl, input: StepInput, power: number, dtS: number): SlotSums {
  const { nowMs, air } = input
  const weather = state.weather ?? UNKNOWN_WEATHER
  const nearEnd = sums.endMs - nowMs <= END_S * 1000
  const waterC = waterNowC(input.supply, power)
  const counts = nearEnd && air.kind === 'fresh' && air.ageS < 120 ? 1 : 0
  return {
    endMs: sums.endMs,
    seconds: sums.seconds + dtS,
    power: sums.power + dtS * power,
    outdoorC: sums.outdoorC + dtS * weather.outdoorC,
    windMs: sums.windMs + dtS * weather.windMs,
    solarWm2: sums.solarWm2 + dtS * solarOf(weather, nowMs, locationOf(input)),
    airC: sums.airC + (counts && air.kind === 'fresh' ? air.airC : 0),
    readings: sums.readings + counts,
    ...(waterC === null ? sums.water && { water: sums.water } : { water: withFlow(sums.water, waterC, dtS * power) }),
    ...((sums.aired || state.airing.openSinceMs !== null) && { aired: true }),
    spoiled: sums.spoiled || state.airing.openSinceMs !== null || state.weather === null,
  }
}

const withFlow = (water: SlotSums['water'], waterC: number, openS: number) => ({
  openS: (water?.openS ?? 0) + openS,
  sum: (water?.sum ?? 0) + openS * waterC,
})

function finished(sums: SlotSums): Slot {
  const mean = (sum: number) => sum / sums.seconds
  const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
  return {
    endMs: sums.endMs,
    airC: sums.readings > 0 && !sums.spoiled ? rounded(sums.airC / sums.readings, 2) : null,
    power: rounded(mean(sums.power), 3),
    outdoorC: rounded(mean(sums.outdoorC), 1),
    windMs: rounded(mean(sums.windMs), 1),
    solarWm2: rounded(mean(sums.solarWm2), 0),
    ...(sums.aired && { aired: true }),
    ...(sums.water && sums.water.openS > 0 && { supplyC: rounded(sums.water.sum / sums.water.openS, 1) }),
  }
}
