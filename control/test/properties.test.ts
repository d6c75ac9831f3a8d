import { type Programme, programmeOfNight, type Steering, WEEKDAYS } from '@hypocaust/domain'
import { FROST } from '@hypocaust/domain/facts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Energy,
  explain,
  fallbackPower,
  fitRoom,
  type RoomControl,
  type RoomSettings,
  type Slot,
  type StepInput,
  stepRoom,
} from '../src/index.ts'
import { EVERY_FLOOR, input, settings, WINTER_MS } from './room.ts'

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 1e300, Number.NaN, Number.POSITIVE_INFINITY),
  fc.double({ min: -60, max: 60, noNaN: true }),
)
const celsius = fc.double({ min: -30, max: 45, noNaN: true })
const weather = fc.record({
  outdoorC: anyNumber,
  cloudPct: anyNumber,
  windMs: anyNumber,
  solarWm2: fc.option(anyNumber),
})
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
const span = fc.record({ from: clock, to: clock })

const anySettings = fc.record({
  targetC: anyNumber,
  bandK: anyNumber,
  strategy: fc.constantFrom('comfort-first', 'hold', 'saving'),
  programme: fc.option(
    fc.oneof(
      fc.record({ from: clock, to: clock, setback: anyNumber, weekend: span }).map(programmeOfNight),
      fc.record({
        monday: fc.array(fc.record({ at: clock, setback: anyNumber }), { maxLength: 5 }),
        dates: fc.array(fc.record({ date: fc.constantFrom('2026-01-13', 'never'), follows: fc.constant('monday') })),
      }) as fc.Arbitrary<Programme>,
    ),
  ),
  hold: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('step' as const), untilMs: anyNumber, setAtMs: anyNumber }),
      fc.record({ kind: fc.constant('away' as const), setAtMs: anyNumber }),
    ),
  ),
  away: fc.option(fc.record({ fromMs: anyNumber, untilMs: anyNumber, setAtMs: anyNumber, targetC: anyNumber })),
  override: fc.option(
    fc.oneof(
      fc.record({
        kind: fc.constant('target' as const),
        untilMs: anyNumber,
        setAtMs: anyNumber,
        targetC: anyNumber,
      }),
      fc.record({ kind: fc.constant('manual' as const), untilMs: anyNumber, setAtMs: anyNumber, power: anyNumber }),
      fc.record({ kind: fc.constant('off' as const), untilMs: anyNumber, setAtMs: anyNumber }),
    ),
  ),
  presetMode: fc.constantFrom('none' as const, 'low' as const, 'medium' as const, 'high' as const),
  steering: fc.oneof(
    fc.constantFrom<Steering>({ kind: 'automatic' }, { kind: 'off' }),
    fc.record({ kind: fc.constant('manual' as const), power: anyNumber }),
  ),
  maxFloorC: anyNumber,
  frostProtection: fc.boolean(),
  timeZone: fc.constantFrom('Europe/Berlin', 'Pacific/Auckland', 'Pacific/Kiritimati', 'nowhere'),
})

/** Of what a room need not have. */
const anyExtras: fc.Arbitrary<Partial<RoomSettings>> = fc.record(
  {
    targetOf: fc.constant('floor' as const),
    mould: fc.record({ dryAtC: anyNumber, mostK: anyNumber }),
    blinds: fc.record({ sides: fc.subarray(['east', 'south', 'west'] as const), aboveC: anyNumber }),
    floorTimes: fc.array(
      fc.record({ days: fc.constant([...WEEKDAYS]), temperature: anyNumber, from: clock, to: clock }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
)

const anyEnergy: fc.Arbitrary<Energy> = fc.record({
  prices: fc.option(
    fc.record({
      startMs: fc.oneof(anyNumber, fc.constant(WINTER_MS)),
      stepS: fc.oneof(anyNumber, fc.constantFrom(900, 3600)),
      perKwh: fc.oneof(fc.array(anyNumber, { maxLength: 60 }), fc.array(celsius, { maxLength: 60 })),
    }),
  ),
  source: fc.option(
    fc.oneof(
      fc.record({
        kind: fc.constantFrom('boiler' as const, 'district' as const, 'electric' as const),
        share: anyNumber,
      }),
      fc.record({ kind: fc.constant('heat-pump' as const), quality: anyNumber }),
    ),
  ),
})

const anyHours = fc.record({
  startMs: fc.oneof(anyNumber, fc.constant(WINTER_MS)),
  hourly: fc.oneof(fc.array(anyNumber, { maxLength: 50 }), fc.array(celsius, { maxLength: 50 })),
})
const anyCooling = fc.record({
  targetC: fc.option(fc.oneof(anyNumber, celsius)),
  dewC: fc.option(anyHours),
  waterC: fc.option(anyHours),
})

const anySpan = fc.record({
  fromMs: fc.oneof(anyNumber, fc.constant(WINTER_MS)),
  untilMs: fc.oneof(anyNumber, fc.constant(WINTER_MS + 40 * 86_400_000)),
  share: anyNumber,
})

const anyInput: fc.Arbitrary<StepInput> = fc.record({
  nowMs: fc.oneof(anyNumber, fc.integer({ min: WINTER_MS, max: WINTER_MS + 40 * 86_400_000 })),
  floorType: fc.constantFrom(...EVERY_FLOOR),
  location: fc.option(fc.record({ lat: anyNumber, lng: anyNumber })),
  settings: fc.tuple(anySettings, anyExtras).map(([settings, extras]) => ({ ...settings, ...extras })),
  air: fc.oneof(
    fc.record({
      kind: fc.constantFrom('fresh' as const, 'stale' as const),
      airC: fc.oneof(anyNumber, celsius),
      ageS: anyNumber,
    }),
    fc.constant({ kind: 'missing' as const }),
  ),
  floorProbeC: fc.option(anyNumber),
  weather: fc.option(weather),
  forecast: fc.option(
    fc.record({ startMs: fc.oneof(anyNumber, fc.constant(WINTER_MS)), hourly: fc.array(weather, { maxLength: 60 }) }),
  ),
  appliedPower: fc.option(anyNumber),
  energy: fc.option(anyEnergy, { nil: null }),
  cooling: fc.option(anyCooling, { nil: null }),
  coldestC: fc.option(fc.oneof(anyNumber, celsius), { nil: null }),
  window: fc.constantFrom('open' as const, 'closed' as const, null),
  limits: fc.array(anySpan, { maxLength: 2 }),
  busy: fc.array(anySpan, { maxLength: 2 }),
  supply: fc.option(fc.record({ measuredC: fc.option(anyNumber), setC: fc.option(anyNumber) }), { nil: null }),
})

test('a step leaves the state it was given as it was', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { minLength: 2, maxLength: 6 }), (inputs) => {
      let state: RoomControl | null = null
      for (const each of inputs) {
        const before: string = JSON.stringify(state)
        const after: RoomControl = stepRoom(state, each).state
        expect(JSON.stringify(state)).toBe(before)
        state = after
      }
    }),
    { numRuns: runs(60) },
  )
})

test('whatever arrives, power is a number from 0 to 1, the state is JSON, and the decision can be explained', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { minLength: 1, maxLength: 6 }), (inputs) => {
      let state: RoomControl | null = null
      for (const each of inputs) {
        const result = stepRoom(state, each)
        expect(result.power).toBeGreaterThanOrEqual(0)
        expect(result.power).toBeLessThanOrEqual(1)
        expect(JSON.parse(JSON.stringify(result.state))).toEqual(result.state)
        expect(explain(result.decision).sentence).not.toMatch(/NaN|undefined|Infinity/)
        const { steering, frostProtection, override } = each.settings
        const isOff = steering.kind === 'off' || (steering.kind === 'manual' && !(steering.power > 0))
        if (isOff && !frostProtection && !override) expect(result.power).toBe(0)
        state = result.state
      }
    }),
    { numRuns: runs(150) },
  )
})

test('a fresh reading below 5° opens the loop whatever a room has lived through, with a broken model too', () => {
  const frosty = fc.double({ min: -25, max: 4.99, noNaN: true })
  let [opened, probed] = [0, 0]
  fc.assert(
    fc.property(fc.array(anyInput, { minLength: 1, maxLength: 5 }), frosty, fc.boolean(), (inputs, airC, isBroken) => {
      let state: RoomControl | null = null
      for (const each of inputs.slice(0, -1)) state = stepRoom(state, each).state
      if (state && isBroken) state.brokenMs = state.updatedMs
      const last = inputs.at(-1) as StepInput
      const { power, decision } = stepRoom(state, {
        ...last,
        air: { kind: 'fresh', airC, ageS: 0 },
        settings: { ...last.settings, frostProtection: true },
      })
      if (power === FROST.limitedShare) {
        expect(decision.caps).toContain('floor-limit')
        expect(last.floorProbeC).toBeGreaterThan(14)
        probed++
      } else {
        expect(power).toBe(1)
        opened++
      }
    }),
    { numRuns: runs(400) },
  )
  expect(opened).toBeGreaterThan(probed)
})

test('a state from the store takes the same next step as one from memory', () => {
  fc.assert(
    fc.property(
      fc.array(celsius, { minLength: 2, maxLength: 20 }),
      fc.constantFrom(...EVERY_FLOOR),
      (readings, floorType) => {
        let kept: RoomControl | null = null
        for (const [i, airC] of readings.entries()) {
          const step = input({ nowMs: WINTER_MS + i * 900_000, floorType, air: { kind: 'fresh', airC, ageS: 5 } })
          const stored: RoomControl | null = JSON.parse(JSON.stringify(kept))
          const result = stepRoom(kept, step)
          expect(stepRoom(stored, step)).toEqual(result)
          kept = result.state
        }
      },
    ),
    { numRuns: runs(30) },
  )
})

test('a programme that comes as the same object at each tick steers as one that is read anew, and stays as it was', () => {
  fc.assert(
    fc.property(
      anyInput,
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 4 }),
      (first, gapsMin) => {
        const before = structuredClone(first.settings.programme)
        let { nowMs } = first
        let kept = stepRoom(null, first)
        let anew = stepRoom(null, structuredClone(first))
        for (const gapMin of gapsMin) {
          nowMs += gapMin * 60_000
          kept = stepRoom(kept.state, { ...first, nowMs })
          anew = stepRoom(anew.state, structuredClone({ ...first, nowMs }))
        }
        expect(kept).toEqual(anew)
        expect(first.settings.programme).toEqual(before)
      },
    ),
    { numRuns: runs(50) },
  )
})

test('a state of another shape, or a spoiled one, is a new beginning and not a crash', () => {
  const { state } = stepRoom(null, input())
  const spoiled = [
    { version: 1, floorType: 'screed' },
    { ...state, belief: null, block: null, learned: [] },
    { ...state, forecast: { checkedMs: 0, biasK: 0 } },
    { ...state, airing: undefined },
    { ...state, owedS: null, updatedMs: 'yesterday' },
  ]
  for (const each of spoiled) {
    const { power } = stepRoom(each as unknown as RoomControl, input({ air: { kind: 'fresh', airC: 16, ageS: 1 } }))
    expect(power).toBeGreaterThan(0.5)
  }
})

test('the state of a room stays within a few kilobytes', () => {
  let { state } = stepRoom(null, input())
  for (let i = 1; i < 600; i++)
    state = stepRoom(
      state,
      input({ nowMs: WINTER_MS + i * 300_000, air: { kind: 'fresh', airC: 20 + Math.sin(i / 40), ageS: 20 } }),
    ).state
  expect(JSON.stringify(state).length).toBeLessThan(6 * 1024)
})

test('a repeated tick, and a clock that goes back, change nothing for the worse', () => {
  const first = stepRoom(null, input())
  const again = stepRoom(first.state, input())
  expect(again.power).toBe(first.power)
  const back = stepRoom(again.state, input({ nowMs: WINTER_MS - 7_200_000 }))
  expect(back.power).toBeGreaterThanOrEqual(0)
  const later = stepRoom(back.state, input({ nowMs: WINTER_MS - 7_140_000, air: { kind: 'fresh', airC: 15, ageS: 1 } }))
  expect(later.state.lastReadingMs).toBe(WINTER_MS - 7_141_000)
})

test('the fit survives any history, and the fallback any weather', () => {
  const anySlot: fc.Arbitrary<Slot> = fc.record({
    endMs: fc.integer({ min: 0, max: 400 }).map((n) => WINTER_MS + n * 1_800_000),
    airC: fc.option(fc.oneof(celsius, anyNumber)),
    power: anyNumber,
    outdoorC: anyNumber,
    windMs: anyNumber,
    solarWm2: anyNumber,
  })
  const { state } = stepRoom(null, input({ settings: settings() }))
  fc.assert(
    fc.property(fc.array(anySlot, { maxLength: 120 }), anyNumber, (slots, outdoorC) => {
      const history = slots.toSorted((a, b) => a.endMs - b.endMs)
      const fitted = fitRoom(state, history)
      expect(fitted.learned.every(Number.isFinite)).toBe(true)
      expect(JSON.parse(JSON.stringify(fitted))).toEqual(fitted)
      const power = fallbackPower(fitted, 'screed', outdoorC)
      expect(power).toBeGreaterThanOrEqual(0)
      expect(power).toBeLessThanOrEqual(1)
    }),
    { numRuns: runs(40) },
  )
})
