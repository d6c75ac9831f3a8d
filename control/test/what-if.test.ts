import { programmeOfNight } from '@hypocaust/domain'
import { beforeAll, expect, test } from 'vitest'
import { longerNights } from '../src/heat/longer-nights.ts'
import { explained, type RoomSettings, replayRoom, savingBy, savingsOf } from '../src/index.ts'
import { settings } from './room.ts'
import { simulatedRoom } from './simulated-room.ts'

const NIGHT = programmeOfNight({ from: '22:30', to: '06:00', setback: 2 })
const DAYS = 6

let real: ReturnType<typeof simulatedRoom>
beforeAll(() => {
  real = simulatedRoom({
    days: DAYS,
    outdoorAt: (hour) => 2 + 3 * Math.sin((2 * Math.PI * (hour - 9)) / 24),
    settings: { programme: NIGHT, timeZone: 'UTC' },
  })
})

const wishes = (changes: Partial<RoomSettings> = {}) => settings({ programme: NIGHT, timeZone: 'UTC', ...changes })
const replayed = (changes: Partial<RoomSettings> = {}, slots = [...real.slots]) =>
  replayRoom(real.state, slots, wishes(changes))

test('replayed as it was set, a room takes what it took, and is warm when it should be', () => {
  const own = replayed()
  const taken = explained(real.state, [...real.slots]).reduce((sum, { heatKwhM2 }) => sum + heatKwhM2, 0)
  expect(Math.abs((own?.heatKwhM2 ?? 0) / taken - 1)).toBeLessThan(0.06)
  expect(own?.rises.length).toBe(DAYS)
  const lateH = own?.rises.slice(1).map(({ atMs, warmAtMs }) => ((warmAtMs ?? Number.NaN) - atMs) / 3_600_000) ?? []
  expect(Math.max(...lateH)).toBeLessThanOrEqual(1.5)
})

test('a lower target and a setback take less heat, a higher target takes more', () => {
  const own = replayed()?.heatKwhM2 ?? 0
  expect(replayed({ targetC: 20.5 })?.heatKwhM2).toBeLessThan(0.99 * own)
  expect(replayed({ targetC: 22 })?.heatKwhM2).toBeGreaterThan(1.02 * own)
  const through = replayed({ programme: null })
  expect(through?.heatKwhM2).toBeGreaterThan(1.02 * own)
  expect(through?.rises).toEqual([])
})

const heatOf = ({ seen }: ReturnType<typeof simulatedRoom>) =>
  seen.filter(({ hour }) => hour >= 48).reduce((sum, { heatWhM2 }) => sum + heatWhM2, 0)

test('half a degree and an hour of setback would have saved what the house takes less that does it', () => {
  const house = (changes: Partial<RoomSettings>) =>
    simulatedRoom({
      days: 4,
      neighbours: 'alike',
      outdoorAt: () => 0,
      settings: { programme: NIGHT, timeZone: 'UTC', ...changes },
    })
  const own = house({})
  const longer = programmeOfNight({ from: '21:30', to: '06:00', setback: 2 })
  const truthOf = (changes: Partial<RoomSettings>) => 1 - heatOf(house(changes)) / heatOf(own)
  const savings = savingsOf(own.state, own.slots.slice(2 * 48), wishes())
  const cooler = { said: savings.halfDegree?.share ?? 0, truth: truthOf({ targetC: 20.5 }) }
  const night = { said: savings.hourOfNight?.share ?? 0, truth: truthOf({ programme: longer }) }
  expect(Math.abs(cooler.said - cooler.truth)).toBeLessThan(0.004)
  expect(Math.abs(night.said - night.truth)).toBeLessThan(0.004)
})

test('heat that a cooler room takes from its neighbours counts as no saving', () => {
  const other = wishes({ targetC: 20.5 })
  const saving = savingBy(real.state, [...real.slots], { own: wishes(), other })
  const share = 1 - (replayed({ targetC: 20.5 })?.heatKwhM2 ?? 0) / (replayed()?.heatKwhM2 ?? 1)
  expect(saving?.share).toBeGreaterThan(0.02)
  expect(saving?.share).toBeLessThan(0.9 * share)
  expect(saving?.error).toBeGreaterThan(0.25 * (saving?.share ?? 1))
  expect(savingBy(real.state, real.slots.slice(0, 40), { own: wishes(), other })).toBeNull()
})

test('each setback begins an hour earlier, where an hour is left before it', () => {
  const longer = longerNights(programmeOfNight({ from: '22:30', to: '06:00', setback: 2 }))
  expect(longer?.monday).toEqual([
    { at: '00:00', setback: 2 },
    { at: '06:00', setback: 0 },
    { at: '21:30', setback: 2 },
  ])
  const past = longerNights({ monday: [{ at: '07:00', setback: 0 }], tuesday: [{ at: '00:30', setback: 3 }] })
  expect(past).toBeNull()
  expect(longerNights(null)).toBeNull()
  expect(longerNights({ friday: [{ at: '09:00', setback: 0 }] })).toBeNull()
})

test('a room that is off takes nothing, and one under manual power what that brings', () => {
  expect(replayed({ steering: { kind: 'off' } })?.heatKwhM2).toBe(0)
  const open = replayed({ steering: { kind: 'manual', power: 1 } })?.heatKwhM2 ?? 0
  expect(open).toBeGreaterThan(1.2 * (replayed()?.heatKwhM2 ?? 0))
})

test('a record with a gap of a day is replayed around it', () => {
  const gap = [...real.slots.slice(0, 2 * 48), ...real.slots.slice(3 * 48)]
  const own = replayed({}, gap)
  expect(own?.slots.length).toBe(gap.length - 2)
  expect(replayed({ targetC: 20 }, gap)?.heatKwhM2).toBeLessThan(0.98 * (own?.heatKwhM2 ?? 0))
})

test('less than a day of record says nothing', () => {
  expect(replayed({}, real.slots.slice(0, 47))).toBeNull()
})

test('a record that contradicts the model says nothing, and no saving is made of it', () => {
  // A mat of five times its heat, all of it to the air, that never warmed the room.
  const learned = [-3, 2.4, 1.8, -17.8, -1.8, -1.8, -2, -7.2, 7.2, -4.1, -2, -0.7, 1] as typeof real.state.learned
  const room = { ...real.state, floorType: 'electric', learned } as const
  const record = real.slots.slice(0, 100).map((slot, i) => ({ ...slot, power: 1, airC: 20 + Math.sin(i / 5) }))
  expect(replayRoom(room, record, wishes())).toBeNull()
  expect(savingsOf(room, record, wishes())).toEqual({ halfDegree: null, hourOfNight: null })
})

test('while the source is held to be off, an open loop brings no heat', () => {
  const [first, last] = [real.slots[0], real.slots.at(-1)]
  const distrusted = [{ fromMs: (first?.endMs ?? 0) - 1_800_000, toMs: last?.endMs ?? 0 }]
  const heat = explained({ ...real.state, distrusted }, [...real.slots]).map(({ heatKwhM2 }) => heatKwhM2)
  expect(Math.max(...heat)).toBe(0)
})
