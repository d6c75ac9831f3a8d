import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ActuatorKind, closedActuator, NO_ACTUATOR, stepActuator, THERMAL, tailMs } from '../src/laws/actuator.ts'
import { cycleMs } from '../src/laws/cycle.ts'
import {
  type Duty,
  EXERCISE_MS,
  type Limits,
  type Loop,
  moveLoop,
  newLoop,
  type Report,
  startExercise,
  stepLoop,
  wantsExercise,
  wantsOpen,
} from '../src/laws/windows.ts'

const MIN = 60_000
const DAY = 86_400_000
const limitsWith = (minMs: number, phase = 0, exerciseAfterMs: number | null = null): Limits => ({
  rhythm: { kind: 'spread', phase, onMs: minMs, offMs: minMs },
  minMs,
  fullMs: minMs,
  exerciseAfterMs,
})
const LIMITS = limitsWith(3 * MIN)
const TICK = 1_000

const ask = (power: number, windowMs = 30 * MIN, seq = 1): Duty => ({ power, windowMs, source: 'command', seq })

interface Run {
  loop: Loop
  openMs: number
  flowMs: number
  askedMs: number
  spans: { open: boolean; ms: number }[]
  reports: Report[]
}

/** One step of a loop whose valve is as quick as its relay. */
function stepped(loop: Loop, duty: Duty, limits: Limits, ms: number, isOpen: boolean) {
  const { loop: booked, reports } = stepLoop(loop, duty, limits, ms, {
    flowMs: isOpen ? ms - loop.bookedMs : 0,
    isOpen,
  })
  return { loop: moveLoop(booked, wantsOpen(booked, limits, ms, 0), ms), reports }
}

/** A loop with a relay that follows its commands, for a while; `duty` may change with time. */
function run(
  dutyAt: (ms: number) => Duty,
  forMs: number,
  limits = LIMITS,
  tickMs = TICK,
  works = true,
  kind: ActuatorKind = NO_ACTUATOR,
): Run {
  const all: Run = {
    loop: newLoop(dutyAt(0), 0, { idleMs: 0 }),
    openMs: 0,
    flowMs: 0,
    askedMs: 0,
    spans: [],
    reports: [],
  }
  let valve = closedActuator(0)
  for (let ms = 0; ms < forMs; ms += tickMs) {
    const isOpen = all.loop.open && works
    const { actuator, flowMs } = stepActuator(kind, valve, isOpen, ms)
    valve = actuator
    const { loop, reports } = stepLoop(all.loop, dutyAt(ms), limits, ms, { flowMs, isOpen })
    const moved = moveLoop(loop, wantsOpen(loop, limits, ms, tailMs(kind, valve)), ms)
    all.loop = wantsExercise(moved, limits) ? startExercise(moved, ms) : moved
    all.reports.push(...reports)
    all.flowMs += flowMs
    all.openMs += all.loop.open ? tickMs : 0
    all.askedMs += dutyAt(ms).power * tickMs
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
  test('over any time the flow is the asked share, but for the opening of a cycle', () => {
    fc.assert(
      fc.property(power, windowMs, minMs, phase, fc.boolean(), (share, window, min, at, thermal) => {
        const kind = thermal ? THERMAL : NO_ACTUATOR
        const shortestMs = Math.max(min, kind.deadMs + kind.strokeMs)
        const limits = limitsWith(shortestMs, at)
        const { flowMs, askedMs, reports } = run(() => ask(share, window), 24 * 60 * MIN, limits, 5_000, true, kind)
        const withinCycleMs = share * (1 - share) * cycleMs(share, window, limits.rhythm)
        expect(Math.abs(flowMs - askedMs)).toBeLessThanOrEqual(withinCycleMs + shortestMs + 15_000)
        const reportedMs = sum(reports.map((report) => report.openMs))
        expect(flowMs - reportedMs).toBeGreaterThanOrEqual(-1)
        expect(flowMs - reportedMs).toBeLessThanOrEqual(window + 5_000)
      }),
      { numRuns: runs(60) },
    )
  })

  test('an opening and a closing are never shorter than the minimum, however the duties change', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 4000 }), power, windowMs), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(changes, (list) => {
        const dutyAt = changing(list)
        const { spans } = run(dutyAt, 12 * 60 * MIN, LIMITS, 5_000)
        for (const { ms } of spans.slice(1, -1)) expect(ms).toBeGreaterThanOrEqual(3 * MIN)
      }),
      { numRuns: runs(60) },
    )
  })

  test('every report tells what was done: together they are all the time and all the opening', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 4000 }), power, windowMs), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(changes, fc.boolean(), (list, works) => {
        const { reports, loop, flowMs } = run(changing(list), 6 * 60 * MIN, LIMITS, 5_000, works, THERMAL)
        const { window } = loop
        expect(sum(reports.map((report) => report.windowMs))).toBeCloseTo(window.startMs, 3)
        const reported = sum(reports.map((report) => report.openMs)) + window.flowMs
        expect(reported).toBeCloseTo(flowMs, 0)
        for (const report of reports) expect(report.openMs).toBeLessThanOrEqual(report.windowMs)
      }),
      { numRuns: runs(60) },
    )
  })

  test('a room switched off is closed after the minimum time, and stays closed whatever was owed', () => {
    fc.assert(
      fc.property(power, windowMs, fc.integer({ min: 0, max: 7200 }), (share, window, offS) => {
        const offMs = offS * 1000
        const dutyAt = (ms: number) => ask(ms < offMs ? share : 0, window)
        let openAfter = 0
        let loop = newLoop(dutyAt(0), 0, { idleMs: 0 })
        for (let ms = 0; ms < offMs + 4 * 60 * MIN; ms += 5_000) {
          loop = stepped(loop, dutyAt(ms), LIMITS, ms, loop.open).loop
          if (ms >= offMs + 3 * MIN + 5_000 && loop.open) openAfter += 1
        }
        expect(openAfter).toBe(0)
      }),
      { numRuns: runs(60) },
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

  test('less than the minimum is given in one piece for several windows', () => {
    const { spans } = run(() => ask(0.05, 30 * MIN), 6 * 60 * MIN)
    expect(spans.filter(({ open }) => open).map(({ ms }) => ms)).toEqual(Array(6).fill(180_000))
  })

  test('more comes at once when much more is asked', () => {
    const { spans } = run((ms) => ask(ms < 10 * MIN ? 0.1 : 1), 30 * MIN)
    expect(spans).toEqual([
      { open: false, ms: 10 * MIN },
      { open: true, ms: 20 * MIN },
    ])
  })

  test('a new source begins a new report, and the command’s numbers are those in force', () => {
    const fallback: Duty = { power: 0.5, windowMs: 30 * MIN, source: 'fallback', seq: null }
    const { reports } = run((ms) => (ms < 10 * MIN ? fallback : ask(0.5, 30 * MIN, 7)), 31 * MIN)
    expect(reports).toMatchObject([
      { source: 'fallback', seq: null, windowMs: 10 * MIN, openMs: 2.5 * MIN },
      { source: 'command', seq: 7, windowMs: 20 * MIN, openMs: 12.5 * MIN },
    ])
  })

  test('a little more is no reason to open again: it waits for the next cycle', () => {
    const { spans } = run((ms) => ask(ms < 23 * MIN ? 0.3 : 0.35), 30 * MIN)
    expect(spans.filter(({ open }) => open)).toEqual([{ open: true, ms: 9 * MIN }])
  })

  test('what was opened by hand while the room was off is not held against it', () => {
    let loop = newLoop(ask(0), 0, { idleMs: 0 })
    for (let ms = 0; ms <= 60 * MIN; ms += 5_000) loop = stepped(loop, ask(0), LIMITS, ms, true).loop
    expect(loop.owedMs).toBe(0)
  })

  test('openings that the control spreads over windows with nothing between them add up', () => {
    const dutyAt = (ms: number) => ask(Math.floor(ms / (30 * MIN)) % 2 === 0 ? 0.1 : 0)
    const { flowMs, askedMs } = run(dutyAt, DAY, limitsWith(4 * MIN, 0.4), 5_000, true, THERMAL)
    expect(Math.abs(flowMs - askedMs)).toBeLessThan(5 * MIN)
  })

  test('off is off, also when a relay was away and much is owed', () => {
    let loop = newLoop(ask(0.9), 0, { idleMs: 0 })
    for (let ms = 0; ms < 20 * MIN; ms += 5_000) loop = stepped(loop, ask(0.9), LIMITS, ms, false).loop
    expect(loop.open).toBe(true)
    expect(stepped(loop, ask(0), LIMITS, 20 * MIN, true).loop.open).toBe(false)
  })

  test('a relay away for a day is not made up for', () => {
    const duty = ask(0.5)
    let loop = newLoop(duty, 0, { idleMs: 0 })
    for (let ms = 0; ms < DAY; ms += 5_000) loop = stepped(loop, duty, LIMITS, ms, false).loop
    let openMs = 0
    for (let ms = DAY; ms < DAY + 60 * MIN; ms += 5_000) {
      loop = stepped(loop, duty, LIMITS, ms, loop.open).loop
      openMs += loop.open ? 5_000 : 0
    }
    expect(openMs).toBeLessThanOrEqual(30 * MIN + 7.5 * MIN + 2 * 3 * MIN + 15_000)
  })
})

describe('many loops', () => {
  test('open one after the other, so that the flow stays even', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 9 }).map((tenths) => tenths / 10),
        (count, share) => {
          const limits = Array.from({ length: count }, (_, i) => limitsWith(3 * MIN, i / count))
          let loops = limits.map(() => newLoop(ask(share, 60 * MIN), 0, { idleMs: 0 }))
          let most = 0
          for (let ms = 0; ms < 4 * 60 * MIN; ms += 5_000) {
            loops = loops.map((loop, i) => stepped(loop, ask(share, 60 * MIN), limits[i] ?? LIMITS, ms, loop.open).loop)
            if (ms > 2 * 60 * MIN) most = Math.max(most, loops.filter(({ open }) => open).length)
          }
          expect(most).toBeLessThanOrEqual(Math.ceil(count * share) + 1)
          if (share < 0.5 && count >= 4) expect(most).toBeLessThan(count)
        },
      ),
      { numRuns: runs(30) },
    )
  })
})

describe('exercise', () => {
  const weekly = limitsWith(3 * MIN, 0, 7 * DAY)
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

/** Duties that each last some seconds, over and over. */
function changing(list: [number, number, number][]) {
  const total = sum(list.map(([lastS]) => lastS * 1000))
  return (ms: number): Duty => {
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
