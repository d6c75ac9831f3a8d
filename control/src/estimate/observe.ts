import { isIdle } from '../model/idle-hours.ts'
import { isQuickAir, type Model, modelOf, NEIGHBOUR_C, withCoolWater, withWater } from '../model/model.ts'
import { firstBelief, isSound, propagate, withProbe, withReading } from '../model/observer.ts'
import { coolWaterC } from '../room/cooling.ts'
import { checkForecast } from '../room/forecast.ts'
import { habitAfter } from '../room/habit.ts'
import { holdsFloor } from '../room/held.ts'
import { locationOf, outsideOf, UNKNOWN_WEATHER } from '../room/outside.ts'
import { plausibleWeather } from '../room/sanitise.ts'
import type { RoomControl } from '../room/state.ts'
import type { StepInput } from '../room/types.ts'
import { waterNowC } from '../room/water.ts'
import { followContact, isCalm, watchAiring, watchContact } from './airing.ts'
import { begunAnew } from './broken.ts'

/** A gap longer than this is a new beginning: better no memory than a wrong one. */
const LONGEST_GAP_S = 36 * 3600
const USABLE_READING_S = 300

/** Everything a tick tells about the room, before anything is decided. */
export function observe(before: RoomControl, input: StepInput, power: number): RoomControl {
  const { nowMs } = input
  const dtS = Math.max(0, (nowMs - before.updatedMs) / 1000)
  const weather = input.weather ?? (before.weather && plausibleWeather(before.weather))
  const location = locationOf(input)
  const place = { ...before, location, timeZone: input.settings.timeZone }
  const now = weather ?? UNKNOWN_WEATHER
  const model = modelNow(before, input, power, now.outdoorC)
  const outside = outsideOf(model, now, nowMs - 500 * Math.min(dtS, 3600), place)
  const isOff = before.source.kind === 'off' || isIdle(before.idle, place.timeZone, nowMs - 500 * Math.min(dtS, 3600))
  const applied = isOff || (input.cooling && coolWaterC(input, nowMs) === null) ? 0 : power
  const known = before.belief && dtS <= LONGEST_GAP_S && isSound(before.belief) ? before.belief : null
  const predicted = known && propagate(known, model, outside, applied, dtS)
  if (predicted && !isSound(predicted)) return observe({ ...begunAnew(before, input), belief: null }, input, power)
  const reading = newReading(before, input)
  const state: RoomControl = {
    ...before,
    updatedMs: nowMs,
    location,
    timeZone: input.settings.timeZone,
    weather,
    belief: predicted,
    forecast: checkForecast(before.forecast, input, location),
    airing: input.window ? watchContact(before.airing, input.window, nowMs) : before.airing,
  }
  if (reading) {
    const sinceS = before.lastReadingMs === null ? 60 : (reading.atMs - before.lastReadingMs) / 1000
    state.airing = input.window
      ? followContact(state.airing, reading.airC, sinceS, nowMs)
      : watchAiring(state.airing, reading.airC, sinceS, nowMs, isQuickAir(before))
    state.habit = habitAfter(before.habit, sinceS, reading.airC - (before.airing.quickC ?? reading.airC))
    state.lastReadingMs = reading.atMs
    if (!predicted) state.belief = firstBelief(reading.airC)
    // An open window says nothing about walls and floor: the model goes on alone until it is shut.
    else if (state.airing.openSinceMs === null) {
      const corrected = withReading(predicted, reading.airC)
      state.belief = isSound(corrected) ? corrected : firstBelief(reading.airC)
    } else if (before.airing.openSinceMs === null && before.airing.calm)
      state.belief = { ...predicted, mean: before.airing.calm }
    if (state.belief && isCalm(state.airing)) state.airing.calm = state.belief.mean
  }
  if (holdsFloor(input.settings)) followFloor(state, input)
  if (state.belief && input.floorProbeC !== null) {
    const probed = withProbe(state.belief, input.floorProbeC)
    if (isSound(probed)) state.belief = probed
  }
  return state
}

/** A floor that is held needs no reading of the air: its probe measures, and without one the model begins by itself. */
function followFloor(state: RoomControl, { floorProbeC, nowMs }: StepInput) {
  state.belief ??= firstBelief(NEIGHBOUR_C)
  // A reading of the air that is young enough to be used stays newer than the last.
  if (floorProbeC !== null) state.lastReadingMs = Math.max(state.lastReadingMs ?? 0, nowMs - USABLE_READING_S * 1000)
}

/** With the water that is known to flow, warm or cold. */
function modelNow({ floorType, learned }: RoomControl, input: StepInput, power: number, outdoorC: number): Model {
  const model = modelOf(floorType, learned)
  const waterC = coolWaterC(input, input.nowMs)
  if (waterC !== null) return withCoolWater(model, waterC)
  return withWater(model, waterNowC(input.supply, power), outdoorC)
}

/** A reading not yet used, and young enough to be of now; an old one only when nothing else is known. */
function newReading(before: RoomControl, { air, nowMs }: StepInput): { airC: number; atMs: number } | null {
  if (air.kind === 'missing') return null
  const atMs = nowMs - air.ageS * 1000
  const isNew = before.lastReadingMs === null || atMs > before.lastReadingMs + 500 || before.lastReadingMs > nowMs
  if (!isNew) return null
  if (air.ageS > USABLE_READING_S && (before.belief || air.kind === 'stale')) return null
  return { airC: air.airC, atMs }
}
