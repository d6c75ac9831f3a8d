import type { PowerCommand } from '@hypocaust/domain'
import { describe, expect, test } from 'vitest'
import { type Circumstances, judge, wishFor } from '../src/commands.ts'

const NOW = Date.parse('2026-01-10T08:15:03.000Z')

const command = (more: Partial<PowerCommand> = {}): PowerCommand => ({
  epoch: 5,
  seq: 881,
  issued: new Date(NOW).toISOString(),
  valid_s: 2700,
  valves: [{ channel: 3, power: 0.35, window_s: 900 }],
  ...more,
})

const at = (more: Partial<Circumstances> = {}): Circumstances => ({
  last: { epoch: 5, seq: 881 },
  channels: new Set([1, 3]),
  wallMs: NOW,
  monoMs: 1_000_000,
  fallbackAfterMs: 2_700_000,
  ...more,
})

const resultOf = (more: Partial<PowerCommand>, circumstances: Partial<Circumstances> = {}) =>
  judge(command(more), at(circumstances)).ack.result

describe('the order of commands', () => {
  test.each([
    [{ epoch: 5, seq: 882 }, 'accepted'],
    [{ epoch: 5, seq: 881 }, 'accepted'],
    [{ epoch: 5, seq: 880 }, 'stale'],
    [{ epoch: 6, seq: 1 }, 'accepted'],
    [{ epoch: 4, seq: 9999 }, 'stale'],
  ] as const)('after 5/881, %o is %s', (order, result) => {
    expect(resultOf(order)).toBe(result)
  })

  test('the first is accepted, whatever its number', () => {
    expect(resultOf({ epoch: 0, seq: 0 }, { last: null })).toBe('accepted')
  })
})

describe('how long a command counts', () => {
  test('from its issue, on the monotonic clock', () => {
    const { inForce } = judge(command(), at({ wallMs: NOW + 60_000 }))
    expect(inForce?.untilMs).toBe(1_000_000 + 2_640_000)
  })

  test('not longer than the fallback allows', () => {
    expect(judge(command(), at({ fallbackAfterMs: 600_000 })).inForce?.untilMs).toBe(1_600_000)
  })

  test('one that took too long on its way is expired', () => {
    expect(resultOf({}, { wallMs: NOW + 2_700_000 })).toBe('expired')
  })

  test('while our clock is not to be believed, it is as fresh as its arrival', () => {
    expect(judge(command(), at({ wallMs: null })).inForce?.untilMs).toBe(1_000_000 + 2_700_000)
  })
})

describe('what is rejected', () => {
  test('a time that is none, a channel named twice, and only channels that are not here', () => {
    expect(resultOf({ issued: 'today' })).toBe('rejected')
    const valve = { channel: 3, power: 0.35, window_s: 900 }
    expect(resultOf({ valves: [valve, { ...valve, power: 1 }] })).toBe('rejected')
    expect(resultOf({ valves: [{ ...valve, channel: 9 }] })).toBe('rejected')
  })

  test('a channel too many does not leave the others cold, and is told', () => {
    const valve = { channel: 3, power: 0.35, window_s: 900 }
    const { ack, inForce } = judge(command({ valves: [valve, { ...valve, channel: 9 }] }), at())
    expect(ack).toEqual({ epoch: 5, seq: 881, result: 'accepted', why: 'no such channel here: 9' })
    expect([...(inForce?.valves.keys() ?? [])]).toEqual([3])
  })
})

describe('what a channel should do', () => {
  const { inForce } = judge(command(), at())
  const config = {
    revision: 1,
    fallback: { after_s: 2700, power: { 1: 0.2, 3: 0.15 } },
    min_open_s: 180,
    exercise_days: 7,
  }
  const wish = (channel: number, monoMs: number) => wishFor(channel, inForce, config, 1_800_000, monoMs)

  test('the command, until it has run out; then the fallback, in the window it had', () => {
    expect(wish(3, 1_000_000)).toEqual({ power: 0.35, windowMs: 900_000, source: 'command', seq: 881 })
    expect(wish(3, 3_700_000)).toEqual({ power: 0.15, windowMs: 1_800_000, source: 'fallback', seq: null })
  })

  test('the fallback, if the command does not name it; nothing, if nobody ever said anything', () => {
    expect(wish(1, 1_000_000)).toMatchObject({ power: 0.2, source: 'fallback' })
    expect(wishFor(1, null, null, 900_000, 0)).toMatchObject({ power: 0, source: 'fallback' })
  })
})
