import type { Steering } from '@hypocaust/domain'
import { FROST, MINUTE_MS } from '@hypocaust/domain/facts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { airFrom, fallbackPower, type RoomControl, type RoomSettings, type StepInput, stepRoom } from '../src/index.ts'
import { EVERY_FLOOR, HOUR_MS, input, settings, WINTER_MS } from './room.ts'

/** At this floor temperature a probe closes the loop: see law.md. */
const PROBE_MARGIN_K = 0.3

/** How a clock goes wrong: an hour, a day or a year, either way. */
const clockStep = fc.constantFrom(...[HOUR_MS, 24 * HOUR_MS, 365 * 24 * HOUR_MS].flatMap((ms) => [ms, -ms]))

type Moment = {
  passMs: number
  stepMs: number
  airC: number
  sensor: 'reports' | 'silent' | 'stuck' | 'future' | 'broken'
  probeC: number | null
  outdoorC: number
}

const celsius = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const moment: fc.Arbitrary<Moment> = fc.record({
  passMs: fc.constantFrom(MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 20 * HOUR_MS),
  stepMs: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: clockStep }),
  airC: celsius(-15, 32),
  sensor: fc.constantFrom('reports', 'reports', 'reports', 'silent', 'stuck', 'future', 'broken'),
  probeC: fc.option(celsius(5, 50)),
  outdoorC: celsius(-25, 30),
})

const owner: fc.Arbitrary<Partial<RoomSettings>> = fc.record({
  targetC: celsius(7, 35),
  presetMode: fc.constantFrom('none', 'low', 'medium', 'high'),
  frostProtection: fc.boolean(),
  maxFloorC: celsius(24, 35),
  steering: fc.constantFrom<Steering>({ kind: 'automatic' }, { kind: 'off' }, { kind: 'manual', power: 0.6 }),
})

/** What the law has of the sensor at a moment, by the same function as the service's. */
class Sensor {
  #latest: { airC: number; atMs: number } | null = null

  hear({ sensor, airC }: Moment, nowMs: number): StepInput['air'] {
    if (sensor === 'reports') this.#latest = { airC, atMs: nowMs }
    if (sensor === 'stuck') this.#latest = { airC: this.#latest?.airC ?? airC, atMs: nowMs }
    if (sensor === 'future') this.#latest = { airC, atMs: nowMs + 24 * HOUR_MS }
    if (sensor === 'broken') return { kind: 'fresh', airC: Number.NaN, ageS: Number.NaN }
    return airFrom(this.#latest, nowMs)
  }
}

type Step = { step: StepInput; result: ReturnType<typeof stepRoom> }

/** Runs the law through the moments. */
function live(moments: Moment[], floorType: StepInput['floorType'], changes: Partial<RoomSettings>): Step[] {
  const sensor = new Sensor()
  let nowMs = WINTER_MS
  let state: RoomControl | null = null
  return moments.map((each) => {
    nowMs += each.passMs + each.stepMs
    const weather = { outdoorC: each.outdoorC, cloudPct: 50, windMs: 3, solarWm2: 0 }
    const air = sensor.hear(each, nowMs)
    const step = input({ nowMs, floorType, settings: settings(changes), air, floorProbeC: each.probeC, weather })
    const result = stepRoom(state, step)
    state = result.state
    return { step, result }
  })
}

const LIVES = 100
const lives = fc.tuple(fc.array(moment, { minLength: 1, maxLength: 25 }), fc.constantFrom(...EVERY_FLOOR), owner)
/** Lived once, and looked at by every test. */
const steps = fc.sample(lives, LIVES).flatMap((each) => live(...each))
const always = (look: (step: StepInput, result: Step['result']) => void) => {
  for (const { step, result } of steps) look(step, result)
}

describe('whatever a room lives through, clock steps included', () => {
  test('power is a finite number from 0 to 1, and no number in the state or the decision is NaN or infinite', () => {
    always((_step, { power, state, decision }) => {
      expect(power >= 0 && power <= 1).toBe(true)
      expect(JSON.parse(JSON.stringify({ state, decision }))).toEqual({ state, decision })
    })
  })

  test('a room that is off gets no heat, but for a fresh reading that calls for frost protection', () => {
    always(({ settings: { steering, frostProtection }, air }, { power, decision }) => {
      if (steering.kind !== 'off') return
      const mayFreeze = frostProtection && air.kind !== 'missing' && air.airC < 6
      if (!mayFreeze) expect([power, decision.mode]).toEqual([0, 'off'])
    })
  })

  test('frost protection opens the loop of a room that is off, whatever a probe in its floor reads', () => {
    let opened = 0
    always(({ settings: { steering, frostProtection }, air }, { power, decision }) => {
      if (steering.kind !== 'off' || !frostProtection) return
      if (air.kind !== 'fresh' || !(air.airC < 5)) return
      expect(decision.mode).toBe('frost')
      expect(power).toBeGreaterThan(0)
      opened++
    })
    expect(opened).toBeGreaterThan(10)
  })

  test('a probe at the limit of its floor closes the loop at once, against frost in part', () => {
    let closed = 0
    always(({ settings: { maxFloorC }, floorProbeC }, { power, state }) => {
      if (floorProbeC === null || floorProbeC < maxFloorC - PROBE_MARGIN_K) return
      expect(power).toBeLessThanOrEqual(state.frost ? FROST.limitedShare : 0)
      closed++
    })
    expect(closed).toBeGreaterThan(50)
  })

  test('without a reading for half a day the power is what the learned model needs, and no more', () => {
    always(({ settings: { presetMode, steering } }, { decision, state, power }) => {
      if (steering.kind !== 'automatic' || decision.rung !== 'learned-power') return
      const base = { none: 0, low: 0.05, medium: 0.1, high: 0.15 }[presetMode]
      const needed = fallbackPower(state, state.floorType, state.weather?.outdoorC ?? null)
      // The block may have been decided at other weather; no weather asks for more than the ladder's end.
      expect(decision.share).toBeLessThanOrEqual(
        Math.max(base, needed, fallbackPower(state, state.floorType, -60)) + 0.11,
      )
      expect(power).toBeLessThanOrEqual(1)
    })
  })
})

describe('a reading whose time cannot be true', () => {
  test.each([2 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS, 365 * 24 * HOUR_MS])(
    '%d ms ahead of the clock is not fresh',
    (aheadMs) => {
      expect(airFrom({ airC: 15, atMs: WINTER_MS + aheadMs }, WINTER_MS).kind).not.toBe('fresh')
    },
  )

  test('a stuck cold reading of the future does not heat for ever', () => {
    let state: RoomControl | null = null
    let power = 0
    const frozen = { airC: 12, atMs: WINTER_MS + 48 * HOUR_MS }
    for (let nowMs = WINTER_MS; nowMs < WINTER_MS + 24 * HOUR_MS; nowMs += 30 * MINUTE_MS) {
      const result = stepRoom(state, input({ nowMs, air: airFrom(frozen, nowMs) }))
      state = result.state
      power = result.decision.share
    }
    expect(power).toBeLessThanOrEqual(fallbackPower(state, 'screed', 0) + 0.11)
  })
})

describe('the floor limit without a probe', () => {
  test.each(EVERY_FLOOR)('holds on %s while a sensor is stuck at a cold reading', (floorType) => {
    let state: RoomControl | null = null
    for (let nowMs = WINTER_MS; nowMs < WINTER_MS + 72 * HOUR_MS; nowMs += 15 * MINUTE_MS) {
      const air = { kind: 'fresh', airC: 14, ageS: 5 } as const
      const result = stepRoom(
        state,
        input({ nowMs, floorType, air, settings: settings({ targetC: 24, maxFloorC: 27 }) }),
      )
      state = result.state
      expect(result.decision.estimate?.floorC ?? 0).toBeLessThanOrEqual(27)
    }
  })
})
