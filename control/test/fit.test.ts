import { steeringOf } from '@hypocaust/domain'
import { roomPhysics, settledState, stepRoomState } from '@hypocaust/simulator'
import { expect, test } from 'vitest'
import { fitRoom, LEARNED_SPREAD, type RoomControl, type Slot, stepRoom } from '../src/index.ts'
import { input, settings, WINTER_MS } from './room.ts'
import { simulatedRoom } from './simulated-room.ts'

/** A real room of the simulator under some command, reported to the law minute by minute. */
function live(
  days: number,
  heatFactor: number,
  command: (minute: number) => number,
): { state: RoomControl; history: Slot[] } {
  const physics = roomPhysics('screed', 180)
  physics.airLossWk *= heatFactor
  physics.wallLossWk *= heatFactor
  const room = settledState(20)
  let state: RoomControl | null = null
  const history: Slot[] = []
  for (let minute = 0; minute < days * 1440; minute++) {
    const outdoorC = 2 + 4 * Math.sin(minute / 300)
    const power = command(minute)
    const boundary = {
      outdoorC,
      windMs: 3.5,
      solarGainWm2: 0,
      internalWm2: 3,
      neighbourC: 20,
      airChange: 1,
      supply: 'running' as const,
    }
    stepRoomState(room, physics, boundary, power, 60)
    const result = stepRoom(
      state,
      input({
        nowMs: WINTER_MS + minute * 60_000,
        location: { lat: 52, lng: 13 },
        settings: settings({ steering: steeringOf({ enabled: true, power }) }),
        air: { kind: 'fresh', airC: Math.round(10 * room.airC) / 10, ageS: 0 },
        weather: { outdoorC, cloudPct: 100, windMs: 3.5, solarWm2: 0 },
        appliedPower: power,
      }),
    )
    state = result.state
    if (result.slot) history.push(result.slot)
  }
  return { state: state as RoomControl, history }
}

const swings = (minute: number) => (Math.floor(minute / 240) % 3 === 0 ? 0.9 : 0.15)

test('half hours are handed out complete, one after the other', () => {
  const { history } = live(1, 1, swings)
  expect(history.length).toBeGreaterThanOrEqual(46)
  for (const [i, slot] of history.slice(1).entries()) expect(slot.endMs - (history[i]?.endMs ?? 0)).toBe(1_800_000)
  expect(Math.max(...history.map((slot) => slot.power))).toBeCloseTo(0.9, 2)
})

test('a leaky room is learned to be leaky, a tight one to be tight', () => {
  const losses = [1.4, 0.7].map((factor) => {
    const { state, history } = live(5, factor, swings)
    const fitted = fitRoom(state, history)
    expect(fitted.fit.accepted).toBe(1)
    expect(fitted.fit.errorK).toBeLessThan(0.3)
    return (fitted.learned[4] ?? 0) + (fitted.learned[5] ?? 0)
  })
  expect(losses[0]).toBeGreaterThan((losses[1] ?? 0) + 0.5)
})

test('what a room loses is learned before it has ever been heated', () => {
  const { state, history } = live(5, 1.4, () => 0)
  const { fit, learned } = fitRoom(state, history)
  expect(fit.accepted).toBe(1)
  expect((learned[4] ?? 0) + (learned[5] ?? 0)).toBeGreaterThan(0.2)
})

test('a fit that does not help on unseen hours is not taken', () => {
  const { state, history } = live(3, 1, swings)
  const shuffled = history.map((slot, i) => ({ ...slot, airC: 18 + ((i * 7919) % 50) / 10 }))
  const fitted = fitRoom(state, shuffled)
  expect(fitted.fit.tried).toBe(1)
  if (fitted.fit.accepted === 0) expect(fitted.learned).toEqual(state.learned)
  for (const value of fitted.learned) expect(Math.abs(value)).toBeLessThan(12)
})

test('a day and less teaches nothing yet', () => {
  const { state, history } = live(0.5, 1, swings)
  expect(fitRoom(state, history)).toBe(state)
  expect(fitRoom(state, [])).toBe(state)
})

test('what people do every evening is learned as a habit of that hour, and foreseen', () => {
  const gainsAt = (hour: number) => (hour % 24 >= 17 && hour % 24 < 22 ? 15 : 1)
  const { state } = simulatedRoom({ days: 9, gainsAt, settings: { timeZone: 'UTC' } })
  const meanOf = (hours: number[]) => hours.reduce((sum, hour) => sum + (state.profile[hour] ?? 0), 0) / hours.length
  expect(meanOf([18, 19, 20]) - meanOf([2, 3, 4, 12, 13])).toBeGreaterThan(4)
})

test('evenings at the stove teach nothing about the room itself', () => {
  const isStoveLit = (hour: number) => [2, 4].includes(Math.floor(hour / 24)) && hour % 24 >= 18 && hour % 24 < 21
  const gainsAt = (hour: number) => (isStoveLit(hour) ? 70 : 3)
  const { state } = simulatedRoom({ days: 6, gainsAt, settings: { timeZone: 'UTC' } })
  const furthest = Math.max(...state.learned.map((value, i) => Math.abs(value) / (LEARNED_SPREAD[i] ?? 1)))
  expect(furthest).toBeLessThan(1.5)
})
