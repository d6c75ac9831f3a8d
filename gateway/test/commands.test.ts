import type { PowerCommand } from '@hypocaust/domain'
import { describe, expect, test } from 'vitest'
import { type Circumstances, dutyFor, type InForce, judge } from '../src/heating/commands.ts'

const NOW = Date.parse('2026-01-10T08:15:03.000Z')

const command = (more: Partial<PowerCommand> = {}): PowerCommand => ({
  epoch: 5,
  seq: 881,
  issued: new Date(NOW).toISOString(),
  valid_s: 2700,
  valves: [{ channel: 3, power: 0.35, window_s: 900 }],
  ...more,
})

const last = (more: Partial<InForce> = {}): InForce => ({
  epoch: 5,
  seq: 881,
  issuedMs: NOW,
  arrivedMs: 1_000_000,
  untilMs: 3_700_000,
  cools: false,
  valves: new Map(),
  ...more,
})

const at = (more: Partial<Circumstances> = {}): Circumstances => ({
  last: last(),
  channels: new Set([1, 3]),
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
  test('from its arrival, on the monotonic clock', () => {
    const { inForce } = judge(command({ issued: new Date(NOW + 60_000).toISOString() }), at({ monoMs: 1_060_000 }))
    expect(inForce?.untilMs).toBe(1_060_000 + 2_700_000)
  })

  test('shorter by what the service’s own clock says it took on its way', () => {
    expect(judge(command(), at({ monoMs: 1_060_000 })).inForce?.untilMs).toBe(1_060_000 + 2_640_000)
  })

  test('not longer than the fallback allows', () => {
    expect(judge(command(), at({ fallbackAfterMs: 600_000 })).inForce?.untilMs).toBe(1_600_000)
  })

  test('a newer one counts although the service’s clock has been set back since the last: its number says that it is newer', () => {
    const wronglyAhead = last({ issuedMs: NOW + 4 * 3_600_000 })
    const verdict = judge(command({ seq: 882 }), at({ last: wronglyAhead, monoMs: 1_300_000 }))
    expect(verdict.ack.result).toBe('accepted')
    expect(verdict.inForce?.untilMs).toBe(1_000_000 + 2_700_000)
  })

  test('one that took too long on its way is expired', () => {
    const long = last({ untilMs: 10_000_000 })
    expect(resultOf({}, { last: long, monoMs: 3_700_000 })).toBe('expired')
  })

  test('after the last command has run out, any command counts: no number locks the gateway for ever', () => {
    const locked = last({ epoch: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER })
    expect(resultOf({}, { last: locked, monoMs: 3_699_999 })).toBe('stale')
    expect(resultOf({}, { last: locked, monoMs: 3_700_000 })).toBe('accepted')
    const ahead = last({ issuedMs: NOW + 86_400_000 })
    expect(resultOf({}, { last: ahead, monoMs: 3_700_000 })).toBe('accepted')
  })
})

describe('what is rejected', () => {
  test('a time that is none, a channel named twice, and only channels that are not here', () => {
    expect(resultOf({ issued: 'today' })).toBe('rejected')
    const valve = { channel: 3, power: 0.35, window_s: 900 }
    expect(resultOf({ valves: [valve, { ...valve, power: 1 }] })).toBe('rejected')
    expect(resultOf({ valves: [{ ...valve, channel: 9 }] })).toBe('rejected')
  })

  test('an unknown channel does not leave the others cold, and is logged', () => {
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
  const duty = (channel: number, monoMs: number) => dutyFor(channel, inForce, config, 1_800_000, monoMs)

  test('the command, until it has run out; then the fallback, in the window it had', () => {
    expect(duty(3, 1_000_000)).toEqual({ power: 0.35, windowMs: 900_000, source: 'command', seq: 881 })
    expect(duty(3, 3_700_000)).toEqual({ power: 0.15, windowMs: 1_800_000, source: 'fallback', seq: null })
  })

  test('the fallback, if the command does not name it; nothing, if nobody ever said anything', () => {
    expect(duty(1, 1_000_000)).toMatchObject({ power: 0.2, source: 'fallback' })
    expect(dutyFor(1, null, null, 900_000, 0)).toMatchObject({ power: 0, source: 'fallback' })
  })
})

describe('what the grid leaves a room', () => {
  const limits = [{ from_s: 600, until_s: 7800, power: 0.1 }]
  const valves = [{ channel: 3, power: 0.35, window_s: 900, limits }]
  const inForce = judge(command({ seq: 882, valves }), at()).inForce
  const fallback = { after_s: 2700, power: { '3': 0.25 } }
  const config = { revision: 1, fallback, min_open_s: 180, exercise_days: 7 }
  const powerAt = (seconds: number) => dutyFor(3, inForce, config, 900_000, 1_000_000 + 1000 * seconds).power

  test('bounds the command from when the limit begins', () => {
    expect(powerAt(599)).toBe(0.35)
    expect(powerAt(600)).toBe(0.1)
  })

  test('leaves a command alone that was given while it lasts: the service has counted it, or has a reason to give more', () => {
    const begun = [{ from_s: -300, until_s: 7800, power: 0.1 }]
    const given = judge(command({ seq: 882, valves: [{ channel: 3, power: 1, window_s: 900, limits: begun }] }), at())
    const dutyAt = (seconds: number) => dutyFor(3, given.inForce, config, 900_000, 1_000_000 + 1000 * seconds)
    expect(dutyAt(10)).toMatchObject({ power: 1, source: 'command' })
    expect(dutyAt(2700)).toMatchObject({ power: 0.1, source: 'fallback' })
  })

  test('bounds the fallback too, until the limit is over, and never raises it', () => {
    expect(powerAt(7799)).toBe(0.1)
    expect(powerAt(7800)).toBe(0.25)
    const generous = judge(
      command({ seq: 882, valves: [{ ...(valves[0] as object), limits: [{ ...limits[0], power: 0.9 }] }] } as never),
      at(),
    ).inForce
    expect(dutyFor(3, generous, config, 900_000, 1_000_000 + 6_000_000).power).toBe(0.25)
  })
})
