import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Coalescer } from '../src/processes/coalescer.ts'

let turns: string[][]
let heating: Coalescer

beforeEach(() => {
  vi.useFakeTimers()
  turns = []
  heating = new Coalescer(250, (keys) => turns.push([...keys]))
})
afterEach(() => {
  heating.stop()
  vi.useRealTimers()
})

test('what is asked for at one moment is begun together, at once', async () => {
  for (const key of ['a', 'b', 'a']) heating.ask(key)
  await Promise.resolve()
  expect(turns).toEqual([['a', 'b']])
})

test('what is asked for within a span is begun together at its end', async () => {
  for (const key of ['a', 'b', 'c', 'b']) {
    heating.ask(key)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(turns).toEqual([['a']])
  await vi.advanceTimersByTimeAsync(50)
  expect(turns).toEqual([['a'], ['b', 'c']])
  heating.ask('d')
  await vi.advanceTimersByTimeAsync(249)
  expect(turns).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(turns).toEqual([['a'], ['b', 'c'], ['d']])
})

test('after a quiet span the next request is served at once', async () => {
  heating.ask('a')
  await vi.advanceTimersByTimeAsync(250)
  heating.ask('b')
  await Promise.resolve()
  expect(turns).toEqual([['a'], ['b']])
})

test('after it was stopped nothing is begun', async () => {
  heating.ask('a')
  await Promise.resolve()
  heating.ask('b')
  heating.stop()
  heating.ask('c')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(turns).toEqual([['a']])
})
