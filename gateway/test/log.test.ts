import { expect, test } from 'vitest'
import { throttled } from '../src/base/log.ts'

test('the log ends with the state that holds, though it changed back within the minute', () => {
  let nowMs = 0
  const lines: string[] = []
  const complain = throttled(
    (line) => lines.push(`${nowMs / 1000} ${line}`),
    () => nowMs,
  )
  for (const [atS, line] of [
    [0, 'closed'],
    [10, 'open'],
    [20, 'closed'],
  ] as const) {
    nowMs = atS * 1000
    complain(line, line)
  }
  for (; nowMs < 180_000; nowMs += 1000) complain.flush()
  expect(lines).toEqual(['0 closed', '10 open', '60 closed (40 s ago)'])
})

test('a complaint that never ends is written once a minute', () => {
  let nowMs = 0
  const lines: string[] = []
  const complain = throttled(
    (line) => lines.push(line),
    () => nowMs,
  )
  for (; nowMs < 300_000; nowMs += 1000) {
    complain.flush()
    complain('bad', 'bad')
  }
  expect(lines).toHaveLength(5)
})

test('what is over is not written after what holds now', () => {
  let nowMs = 0
  const lines: string[] = []
  const complain = throttled(
    (line) => lines.push(`${nowMs / 1000} ${line}`),
    () => nowMs,
  )
  for (const [atS, line] of [
    [0, 'refused'],
    [1, 'refused'],
    [23, 'connected'],
  ] as const) {
    nowMs = atS * 1000
    complain(line, line, 'the broker')
  }
  for (; nowMs < 180_000; nowMs += 1000) complain.flush()
  expect(lines).toEqual(['0 refused', '23 connected'])
})
