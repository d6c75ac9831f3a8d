import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AtMostEvery } from '../src/processes/at-most-every.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a hundred requests within a second are two turns: the first at once, the second for all that came since', () => {
  const turns: string[] = []
  const heating = new AtMostEvery(1000, (key) => turns.push(key))
  for (let n = 0; n < 100; n++) {
    heating.ask('house')
    vi.advanceTimersByTime(9)
  }
  expect(turns).toEqual(['house'])
  vi.advanceTimersByTime(1000)
  expect(turns).toEqual(['house', 'house'])
  vi.advanceTimersByTime(10_000)
  expect(turns).toHaveLength(2)
})

test('one key does not wait for another, and after a quiet span the next request is served at once', () => {
  const turns: string[] = []
  const heating = new AtMostEvery(1000, (key) => turns.push(key))
  heating.ask('a')
  heating.ask('b')
  vi.advanceTimersByTime(1000)
  heating.ask('a')
  expect(turns).toEqual(['a', 'b', 'a'])
})

test('after it was stopped nothing is begun', () => {
  const turns: string[] = []
  const heating = new AtMostEvery(1000, (key) => turns.push(key))
  heating.ask('a')
  heating.ask('a')
  heating.stop()
  vi.advanceTimersByTime(10_000)
  expect(turns).toEqual(['a'])
})
