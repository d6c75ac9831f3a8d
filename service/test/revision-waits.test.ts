import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RevisionWaits, waitsByBuilding } from '../src/house/revision-waits.ts'
import type { Happening, News } from '../src/processes/news.ts'

const HOUR_MS = 3_600_000

describe('of many who wait', () => {
  const looks: string[][] = []
  const revisions = new Map<string, string>()
  let announce: (what: Happening) => void = () => {}
  const news: News = {
    isLive: true,
    heard: () => {},
    subscribe(listener) {
      announce = listener
      return () => {}
    },
  }

  beforeEach(() => {
    vi.useFakeTimers()
    looks.length = 0
    revisions.clear()
  })
  afterEach(() => vi.useRealTimers())

  function waitsFor(ids: string[]) {
    for (const id of ids) revisions.set(id, '1')
    const waits = new RevisionWaits({
      ...{ news, named: waitsByBuilding },
      async revisionsOf(keys) {
        looks.push(keys)
        return revisions
      },
    })
    const leaving = new AbortController()
    const woken: string[] = []
    for (const id of ids) void waits.another(id, '1', HOUR_MS, leaving.signal).then(() => woken.push(id))
    return { woken, leave: () => leaving.abort() }
  }

  test('only those are looked at whose building is in the news', async () => {
    const { woken, leave } = waitsFor(['a', 'b', 'c'])
    revisions.set('b', '2')
    announce({ kind: 'heard', buildingIds: ['b', 'z'] })
    await vi.advanceTimersByTimeAsync(60)
    expect(looks).toEqual([['b']])
    expect(woken).toEqual(['b'])
    leave()
  })

  test('nobody is looked at for news of other buildings, until the turn of all', async () => {
    const { leave } = waitsFor(['a', 'b'])
    for (let n = 0; n < 8; n++) {
      announce({ kind: 'heard', buildingIds: [`other-${n}`] })
      await vi.advanceTimersByTimeAsync(60)
    }
    expect(looks).toEqual([])
    await vi.advanceTimersByTimeAsync(60)
    expect(looks).toEqual([['a', 'b']])
    leave()
  })

  test('all are looked at where nobody knows what has happened, and what was not announced is found', async () => {
    const { woken, leave } = waitsFor(['a', 'b'])
    announce({ kind: 'anything' })
    await vi.advanceTimersByTimeAsync(60)
    expect(looks).toEqual([['a', 'b']])
    revisions.set('a', '2')
    await vi.advanceTimersByTimeAsync(600)
    expect(woken).toEqual(['a'])
    leave()
  })

  test('news that come one after the other do not put off the look', async () => {
    const { leave } = waitsFor(['a', 'b'])
    for (let n = 0; n < 20; n++) {
      announce({ kind: 'anything' })
      await vi.advanceTimersByTimeAsync(30)
    }
    expect(looks.length).toBeGreaterThan(5)
    leave()
  })

  test('news of one building does not put off the turn of all', async () => {
    const { woken, leave } = waitsFor(['a', 'b'])
    revisions.set('b', '2')
    for (let n = 0; n < 10; n++) {
      announce({ kind: 'heard', buildingIds: ['a'] })
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(woken).toEqual(['b'])
    leave()
  })
})
