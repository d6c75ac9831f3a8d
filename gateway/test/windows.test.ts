import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EXERCISE_MS,
  type Limits,
  type Loop,
  newLoop,
  type Report,
  startExercise,
  stepLoop,
  type Wish,
  wantsExercise,
} from '../src/windows.ts'

const MIN = 60_000
const DAY = 86_400_000
const LIMITS: Limits = { minMs: 3 * MIN, exerciseAfterMs: null, phase: 0 }
const TICK = 1_000

const ask = (power: number, windowMs = 30 * MIN, seq = 1): Wish => ({ power, windowMs, source: 'command', seq })

interface Run {
  loop: Loop
  openMs: number
  askedMs: number
  spans: { open: boolean; ms: number }[]
  reports: Report[]
}

/** A loop with a relay that does as it is told, for a while; `wish` may change with time. */
function run(wishAt: (ms: number) => Wish, forMs: number, limits = LIMITS, tickMs = TICK, works = true): Run {
  const all: Run = { loop: newLoop(wishAt(0), limits, 0, 0), openMs: 0, askedMs: 0, spans: [], reports: [] }
  for (let ms = 0; ms < forMs; ms += tickMs) {
    const { loop, reports } = stepLoop(all.loop, wishAt(ms), limits, ms, all.loop.open && works)
    all.loop = wantsExercise(loop, limits) ? startExercise(loop, ms) : loop
    all.reports.push(...reports)
    all.openMs += all.loop.open ? tickMs : 0
    all.askedMs += wishAt(ms).power * tickMs
    const last = all.spans.at(-1)
    if (last?.open === all.loop.open) last.ms += tickMs
    else all.spans.push({ open: all.loop.open, ms: tickMs })
  }
  return all
}

// Whole thousandths: doubles of every size would nearly all be nearly 0.
const power = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
const windowMs = fc.integer({ min: 60, max: 7200 }).map((s) => s * 1000)
const minMs = fc.integer({ min: 0, max: 300 }).map((s) => s * 1000)
const phase = fc.integer({ min: 0, max: 11 }).map((twelfths) => twelfths / 12)

describe('the laws of windows', () => {
  test('over any time the loop is open for the asked share, but for the minimum times', () => {
    fc.assert(
      fc.property(power, windowMs, minMs, phase, (share, window, min, at) => {
        const limits = { minMs: min, exerciseAfterMs: null, phase: at }
        const { openMs, askedMs, reports } = run(() => ask(share, window), 24 * 60 * MIN, limits, 5_000)
        const withinWindowMs = share * (1 - share) * window
        expect(Math.abs(openMs - askedMs)).toBeLessThanOrEqual(withinWindowMs + 2 * min + 15_000)
        const wholeMs = sum(reports.map((report) => report.windowMs))
        const openInWholeMs = sum(reports.map((report) => report.openMs))
        expect(Math.abs(openInWholeMs - share * wholeMs)).toBeLessThanOrEqual(2 * min + 15_000)
      }),
      { numRuns: 60 },
    )
  })

  test('an opening and a closing are never shorter than the minimum, however the wishes change', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 4000 }), power, windowMs), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(changes, (list) => {
        const wishAt = changing(list)
        const { spans } = run(wishAt, 12 * 60 * MIN, LIMITS, 5_000)
        for (const { ms } of spans.slice(1, -1)) expect(ms).toBeGreaterThanOrEqual(3 * MIN)
      }),
      { numRuns: 60 },
    )
  })

  test('every report tells what was done: together they are all the time and all the opening', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 4000 }), power, windowMs), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(changes, fc.boolean(), (list, works) => {
        const { reports, loop, openMs } = run(changing(list), 6 * 60 * MIN, LIMITS, 5_000, works)
        const { window } = loop
        expect(sum(reports.map((report) => report.windowMs))).toBeCloseTo(window.startMs, 3)
        const told = sum(reports.map((report) => report.openMs)) + window.openMs
        expect(Math.abs(told - (works ? openMs : 0))).toBeLessThanOrEqual(5_000)
        for (const report of reports) expect(report.openMs).toBeLessThanOrEqual(report.windowMs)
      }),
      { numRuns: 60 },
    )
  })

  test('a room switched off is closed after the minimum time, and stays closed whatever was owed', () => {
    fc.assert(
      fc.property(power, windowMs, fc.integer({ min: 0, max: 7200 }), (share, window, offS) => {
        const offMs = offS * 1000
        const wishAt = (ms: number) => ask(ms < offMs ? share : 0, window)
        let openAfter = 0
        let loop = newLoop(wishAt(0), LIMITS, 0, 0)
        for (let ms = 0; ms < offMs + 4 * 60 * MIN; ms += 5_000) {
          loop = stepLoop(loop, wishAt(ms), LIMITS, ms, loop.open).loop
          if (ms >= offMs + 3 * MIN + 5_000 && loop.open) openAfter += 1
        }
        expect(openAfter).toBe(0)
      }),
      { numRuns: 60 },
    )
  })

  test('power 1 never closes, power 0 never opens', () => {
    expect(run(() => ask(1), 12 * 60 * MIN).spans).toHaveLength(1)
    expect(run(() => ask(0), 12 * 60 * MIN).openMs).toBe(0)
  })

  test('steps that come late change nothing but the sharpness', () => {
    const { openMs, askedMs, reports } = run(() => ask(0.35), DAY, LIMITS, 7 * MIN)
    expect(reports).toHaveLength(47)
    expect(Math.abs(openMs - askedMs)).toBeLessThanOrEqual(30 * MIN)
  })
})

describe('one window', () => {
  test('35 % of 15 minutes is 315 s', () => {
    const { reports } = run(() => ask(0.35, 15 * MIN, 881), 15 * MIN + TICK)
    expect(reports).toEqual([{ source: 'command', seq: 881, startMs: 0, windowMs: 900_000, openMs: 315_000 }])
  })

  test('less than the minimum waits and is given later in one piece', () => {
    const { spans } = run(() => ask(0.05, 30 * MIN), 6 * 60 * MIN)
    expect(spans.filter(({ open }) => open).map(({ ms }) => ms)).toEqual(Array(6).fill(180_000))
  })

  test('more comes at once when much more is asked', () => {
    const { spans } = run((ms) => ask(ms < 10 * MIN ? 0.2 : 1), 30 * MIN)
    expect(spans.map(({ open }) => open)).toEqual([true, false, true, false])
    expect(spans[1]?.ms).toBe(4 * MIN)
  })

  test('a new source begins a new report, and the command’s numbers are those in force', () => {
    const fallback: Wish = { power: 0.5, windowMs: 30 * MIN, source: 'fallback', seq: null }
    const { reports } = run((ms) => (ms < 10 * MIN ? fallback : ask(0.5, 30 * MIN, 7)), 31 * MIN)
    expect(reports).toMatchObject([
      { source: 'fallback', seq: null, windowMs: 10 * MIN, openMs: 10 * MIN },
      { source: 'command', seq: 7, windowMs: 20 * MIN, openMs: 5 * MIN },
    ])
  })

  test('a little more is no reason to open again: it waits for the next window', () => {
    const { spans } = run((ms) => ask(ms < 15 * MIN ? 0.3 : 0.35), 30 * MIN)
    expect(spans).toEqual([
      { open: true, ms: 9 * MIN },
      { open: false, ms: 21 * MIN },
    ])
  })

  test('what was opened by hand while the room was off is not held against it', () => {
    let loop = newLoop(ask(0), LIMITS, 0, 0)
    for (let ms = 0; ms <= 60 * MIN; ms += 5_000) loop = stepLoop(loop, ask(0), LIMITS, ms, true).loop
    expect(stepLoop(loop, ask(0.1), LIMITS, 60 * MIN, true).loop.open).toBe(true)
  })

  test('off is off, also when a relay was away and much is owed', () => {
    let loop = newLoop(ask(0.9), LIMITS, 0, 0)
    for (let ms = 0; ms < 20 * MIN; ms += 5_000) loop = stepLoop(loop, ask(0.9), LIMITS, ms, false).loop
    expect(loop.open).toBe(true)
    expect(stepLoop(loop, ask(0), LIMITS, 20 * MIN, true).loop.open).toBe(false)
  })

  test('a relay away for a day is not made up for', () => {
    const limits = LIMITS
    const wish = ask(0.5)
    let loop = newLoop(wish, limits, 0, 0)
    for (let ms = 0; ms < DAY; ms += 5_000) loop = stepLoop(loop, wish, limits, ms, false).loop
    let openMs = 0
    for (let ms = DAY; ms < DAY + 60 * MIN; ms += 5_000) {
      loop = stepLoop(loop, wish, limits, ms, loop.open).loop
      openMs += loop.open ? 5_000 : 0
    }
    expect(openMs).toBeLessThanOrEqual(30 * MIN + 2 * 3 * MIN + 15_000)
  })
})

describe('many loops', () => {
  test('open one after the other, so that the flow stays even', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 9 }).map((tenths) => tenths / 10),
        (count, share) => {
          const limits = Array.from({ length: count }, (_, i) => ({ ...LIMITS, phase: i / count }))
          let loops = limits.map((each) => newLoop(ask(share, 60 * MIN), each, 0, 0))
          let most = 0
          for (let ms = 0; ms < 4 * 60 * MIN; ms += 5_000) {
            loops = loops.map(
              (loop, i) => stepLoop(loop, ask(share, 60 * MIN), limits[i] ?? LIMITS, ms, loop.open).loop,
            )
            if (ms > 2 * 60 * MIN) most = Math.max(most, loops.filter(({ open }) => open).length)
          }
          expect(most).toBeLessThanOrEqual(Math.ceil(count * share) + 1)
          if (share < 0.5 && count >= 4) expect(most).toBeLessThan(count)
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('exercise', () => {
  const weekly: Limits = { ...LIMITS, exerciseAfterMs: 7 * DAY }
  const exercises = (all: Run) => all.reports.filter(({ source }) => source === 'exercise')

  test('a loop switched off is opened for five minutes every week', () => {
    const done = exercises(run(() => ask(0), 29 * DAY, weekly, 10_000))
    expect(done).toHaveLength(4)
    for (const report of done) expect(report).toMatchObject({ windowMs: EXERCISE_MS, openMs: EXERCISE_MS, seq: null })
    expect(done[0]?.startMs).toBe(7 * DAY)
  })

  test('a loop in use needs none', () => {
    expect(exercises(run(() => ask(0.3), 15 * DAY, weekly, 30_000))).toEqual([])
  })

  test('it is no part of the power: windows do not count it', () => {
    const { reports } = run(() => ask(0), 8 * DAY, weekly, 10_000)
    expect(sum(reports.filter(({ source }) => source === 'command').map(({ openMs }) => openMs))).toBe(0)
  })

  test('an electric mat is never exercised', () => {
    expect(run(() => ask(0), 30 * DAY, LIMITS, 30_000).openMs).toBe(0)
  })

  test('a valve that did not move is tried again, and the report says it was not open', () => {
    const done = exercises(run(() => ask(0), 7 * DAY + 3 * 3_600_000, weekly, 10_000, false))
    expect(done.length).toBeGreaterThanOrEqual(2)
    for (const { openMs } of done) expect(openMs).toBe(0)
  })
})

/** Wishes that each last some seconds, over and over. */
function changing(list: [number, number, number][]) {
  const total = sum(list.map(([lastS]) => lastS * 1000))
  return (ms: number): Wish => {
    let left = ms % total
    for (const [lastS, share, window] of list) {
      if (left < lastS * 1000) return ask(share, window)
      left -= lastS * 1000
    }
    return ask(0)
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
