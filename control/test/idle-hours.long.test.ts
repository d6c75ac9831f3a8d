import { programmeOfNight } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { explain } from '../src/index.ts'
import { type Seen, simulatedRoom } from './simulated-room.ts'

const isAtNight = (hour: number) => hour % 24 >= 22 || hour % 24 < 5
const story = {
  days: 9,
  settings: { timeZone: 'UTC', programme: programmeOfNight({ from: '22:30', to: '06:00', setback: 2 }) },
  outdoorAt: (hour: number) => -2 + 3 * Math.sin(hour / 5),
}
const lastMorningC = (seen: readonly Seen[]) => seen.find(({ hour }) => hour >= 8 * 24 + 6.5)?.airC ?? 0

test('a boiler that is off every night by its own timer is learned, heated around, and reported with its hours', () => {
  const { state, seen } = simulatedRoom({ ...story, supplyAt: (hour) => (isAtNight(hour) ? 'failed' : 'running') })
  const { fromMinute = 0, toMinute = 0 } = state.idle ?? {}
  expect(state.idle).not.toBeNull()
  expect(Math.abs(toMinute - 5 * 60)).toBeLessThanOrEqual(30)
  expect(fromMinute >= 21 * 60 || fromMinute <= 3 * 60).toBe(true)
  const last = seen.at(-1)
  expect(last && explain(last.decision).details.join(' ')).toMatch(/From \d\d:\d\d to \d\d:\d\d no heat arrives/)
  expect(lastMorningC(seen)).toBeGreaterThan(20.5)
  expect(seen.some(({ decision }) => decision.notices.includes('boiler-off'))).toBe(false)
})

test('in a room whose heat always arrives no such hours are learned', () => {
  const { state, seen } = simulatedRoom(story)
  expect(state.idle).toBeNull()
  expect(seen.at(-1)?.decision.idle).toBeUndefined()
})
