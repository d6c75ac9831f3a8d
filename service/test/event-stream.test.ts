import { TestClock } from '@hypocaust/testing/clock.ts'
import { expect, test } from 'vitest'
import { type StreamReader, stateEvents } from '../src/doors/http/v1/event-stream.ts'
import { RevisionWaits } from '../src/house/revision-waits.ts'
import { noNews } from '../src/processes/news.ts'

const BUILDING_ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
const MEMBERSHIP = { role: 'owner' as const, rooms: null }

/** A building whose state is a number, read by somebody who takes one event after the other. */
function follow({ heartbeatMs, reader = {} }: { heartbeatMs?: number; reader?: Partial<StreamReader> } = {}) {
  const clock = new TestClock()
  let value = 1
  const stampOf = () => `${value}.0..`
  const state = () => {
    const parts = {
      building: value,
      rooms: [],
      alerts: [],
      away: null,
      power_limit: null,
      overrides: {},
      proposals: {},
      outlooks: {},
      air: {},
      timezone: 'UTC',
    }
    const kept = { text: JSON.stringify(parts), tag: `"${value}"`, stamp: stampOf(), untilMs: clock.now() + 60_000 }
    return { ...kept, alerts: { text: '[]', tag: '' }, outlooks: new Map(), air: new Map() }
  }
  const waits = (revision: () => string) =>
    new RevisionWaits({
      news: noNews,
      named: () => undefined,
      revisionsOf: async ([id = '']) => new Map([[id, revision()]]),
    })
  const gone = new AbortController()
  const building = (id = BUILDING_ID) => ({
    ...{ id, revisedAt: value, liveRevision: 0, membership: MEMBERSHIP },
    ...{ lastSeenAt: null, updatedAt: null },
  })
  const events = stateEvents(
    {
      clock,
      states: { of: async () => state(), bill: () => 0 },
      revisions: waits(stampOf),
      reaches: waits(() => '1'),
      ...(heartbeatMs !== undefined && { heartbeatMs }),
    },
    {
      keyId: 'key',
      reached: async () => ({ revision: '1', buildings: [building()] }),
      pay: async () => 'paid',
      inTurn: (work) => work(),
      lastEventId: undefined,
      signal: gone.signal,
      ...reader,
    },
  )
  const next = async () => (await events.next()).value ?? undefined
  return {
    clock,
    building,
    next,
    /** The number in the next event, past the opening lines. */
    nextValue: async () => {
      for (;;) {
        const text = await next()
        if (text === undefined) return undefined
        const [, data] = /^event: state\nid: \S+\ndata: (.*)\n\n$/.exec(text) ?? []
        if (data !== undefined) return JSON.parse(data).building
      }
    },
    change: () => {
      value++
    },
    end: () => gone.abort(),
  }
}

test('a reader that is slow gets one event for many changes, with the last', async () => {
  const house = follow()
  expect(await house.nextValue()).toBe(1)
  for (let i = 0; i < 1000; i++) house.change()
  expect(await house.nextValue()).toBe(1001)
})

test('without an event a comment shows that the stream lives', async () => {
  const house = follow({ heartbeatMs: 1 })
  expect(await house.nextValue()).toBe(1)
  expect(await house.next()).toBe(':\n\n')
  expect(await house.next()).toBe(':\n\n')
})

test('with its budget used up the reader gets later what has changed by then', async () => {
  let refusals = 2
  const house = follow({
    reader: {
      pay: async () => {
        if (refusals === 0) return 'paid'
        refusals--
        house.change()
        return { pauseMs: 1 }
      },
    },
  })
  expect(await house.nextValue()).toBe(3)
})

test('a stream whose reader has gone ends while it waits', async () => {
  const house = follow()
  expect(await house.nextValue()).toBe(1)
  const ended = house.next()
  house.end()
  expect(await ended).toBe(undefined)
})

test('a stream ends where its key has', async () => {
  const house = follow({ reader: { reached: async () => undefined } })
  expect(await house.next()).toMatch(/^retry: \d+\n\n$/)
  expect(await house.next()).toBe(undefined)
})

test('a reader whose key ends while it takes its time is sent nothing that is made after that', async () => {
  const ids = ['a', 'b', 'c']
  let hasKey = true
  const house = follow({
    reader: {
      reached: async () => (hasKey ? { revision: '1', buildings: ids.map((id) => house.building(id)) } : undefined),
    },
  })
  expect(await house.nextValue()).toBe(1)
  hasKey = false
  house.clock.advance(1001)
  house.change()
  expect(await house.nextValue()).toBe(undefined)
})
