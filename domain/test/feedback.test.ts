import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DAY_MS,
  FEEDBACK,
  FEELINGS,
  type Feeling,
  HOUR_MS,
  helpOf,
  MINUTE_MS,
  type Press,
  type Programme,
  programmeOfNight,
  programmeProblems,
  proposalOf,
  type ScheduleInputs,
  setpointAt,
  signOf,
  WEEKDAYS,
} from '../src/index.ts'

const MONDAY_MS = Date.UTC(2026, 0, 12)
const NIGHT = programmeOfNight({ from: '22:00', to: '06:00', setback: 2 })
const at = (day: number, clock: string): number =>
  Date.parse(`${new Date(MONDAY_MS + day * DAY_MS).toISOString().slice(0, 10)}T${clock}:00Z`)

const inputs = (changes: Partial<ScheduleInputs> = {}): ScheduleInputs => ({
  targetC: 21,
  steering: { kind: 'automatic' },
  programme: null,
  override: null,
  away: null,
  timeZone: 'UTC',
  ...changes,
})

const press = (day: number, clock: string, changes: Partial<Press> = {}): Press => ({
  atMs: at(day, clock),
  feeling: 'too_cold',
  setpointC: 21,
  temperatureC: 21,
  ...changes,
})

const plan = (programme: Programme | null = null, targetC = 21) => ({ targetC, programme, timeZone: 'UTC' })
const LATER_MS = at(13, '12:00')

const clock = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16))
const steps = fc
  .uniqueArray(fc.record({ at: clock, setback: fc.integer({ min: 0, max: 8 }).map((half) => half / 2) }), {
    maxLength: 5,
    selector: ({ at }) => at,
  })
  .map((day) => day.toSorted((a, b) => a.at.localeCompare(b.at)))
const week = fc
  .tuple(steps, steps, steps, steps, steps, steps, steps)
  .map((days): Programme => Object.fromEntries(WEEKDAYS.map((name, i) => [name, days[i]])))
const anyPlan = fc.record({
  targetC: fc.integer({ min: 36, max: 50 }).map((half) => half / 2),
  programme: fc.option(week),
  timeZone: fc.constant('UTC'),
})
const feeling = fc.constantFrom<Feeling>(...FEELINGS)
const moment = fc.integer({ min: 0, max: 14 * 24 * 60 - 1 }).map((minute) => MONDAY_MS + minute * MINUTE_MS)
const celsius = fc.integer({ min: 160, max: 260 }).map((tenth) => tenth / 10)

describe('a press helps now', () => {
  test('by half a degree for three hours', () => {
    const nowMs = at(0, '12:00')
    expect(helpOf(inputs(), 'too_cold', 21, nowMs)).toEqual({
      kind: 'target',
      targetC: 21.5,
      untilMs: nowMs + 3 * HOUR_MS,
      setAtMs: nowMs,
    })
    expect(helpOf(inputs(), 'too_warm', 20.8, nowMs)).toMatchObject({ targetC: 20.3 })
    expect(helpOf(inputs(), 'too_warm', null, nowMs)).toMatchObject({ targetC: 20.5 })
  })

  test('from what is measured where the sun has warmed the room beyond its setpoint', () => {
    expect(helpOf(inputs(), 'too_cold', 22.2, MONDAY_MS)).toMatchObject({ targetC: 22.7 })
    expect(helpOf(inputs(), 'too_cold', 27, MONDAY_MS)).toMatchObject({ targetC: 23 })
  })

  test('until the programme asks for as much', () => {
    const nowMs = at(1, '05:00')
    expect(helpOf(inputs({ programme: NIGHT }), 'too_cold', 19, nowMs)).toMatchObject({
      targetC: 19.5,
      untilMs: at(1, '06:00'),
    })
    expect(helpOf(inputs({ programme: NIGHT }), 'too_cold', 21, at(1, '21:30'))).toMatchObject({
      targetC: 21.5,
      untilMs: at(2, '00:30'),
    })
  })

  test('and an override that was set for longer keeps its end', () => {
    const override = { kind: 'target' as const, targetC: 22, setAtMs: MONDAY_MS, untilMs: at(3, '12:00') }
    expect(helpOf(inputs({ override }), 'too_cold', 22, at(0, '12:00'))).toMatchObject({
      targetC: 22.5,
      untilMs: at(3, '12:00'),
    })
  })

  test('not in a room that is off or under manual power', () => {
    expect(helpOf(inputs({ steering: { kind: 'off' } }), 'too_cold', 18, MONDAY_MS)).toBeNull()
    expect(helpOf(inputs({ steering: { kind: 'manual', power: 0.5 } }), 'too_warm', 25, MONDAY_MS)).toBeNull()
  })

  test('never the other way, at no moment, and never far', () => {
    fc.assert(
      fc.property(anyPlan, feeling, fc.option(celsius), moment, (some, felt, temperatureC, nowMs) => {
        const before = inputs(some)
        const override = helpOf(before, felt, temperatureC, nowMs)
        if (override?.kind !== 'target') throw new Error('a room that is heated can be helped')
        const planned = setpointAt(before, nowMs).setpointC
        const from = felt === 'too_cold' ? before.targetC : planned
        expect(signOf(felt) * (override.targetC - planned)).toBeGreaterThan(0)
        expect(signOf(felt) * (override.targetC - from)).toBeLessThanOrEqual(FEEDBACK.mostKelvin + 0.05)
        for (let atMs = nowMs; atMs < nowMs + 4 * HOUR_MS; atMs += 10 * MINUTE_MS) {
          const [then, without] = [setpointAt({ ...before, override }, atMs), setpointAt(before, atMs)]
          expect(signOf(felt) * (then.setpointC - without.setpointC)).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('a proposal', () => {
  test('comes with the third day on which it was pressed at a similar time', () => {
    const two = [press(0, '20:00'), press(0, '20:40'), press(1, '20:30')]
    expect(proposalOf(two, plan(), LATER_MS)).toBeNull()
    expect(proposalOf([...two, press(3, '19:10')], plan(), LATER_MS)).toMatchObject({
      feeling: 'too_cold',
      days: 3,
      window: { weekdays: WEEKDAYS.slice(0, 5), from: '18:00', to: '23:00' },
      setpointC: 21,
      proposedC: 21.5,
      plan: { targetC: 21.5 },
    })
  })

  test('keeps to the step of the programme in which it was pressed', () => {
    const evenings = [press(0, '20:00'), press(1, '20:30'), press(2, '20:10'), press(5, '20:10')]
    expect(proposalOf(evenings, plan(NIGHT), LATER_MS)?.window).toEqual({
      weekdays: WEEKDAYS,
      from: '19:00',
      to: '22:00',
    })
    const nights = [1, 2, 3].map((day) => press(day, '04:00', { setpointC: 19, temperatureC: 19.2 }))
    const proposal = proposalOf(nights, plan(NIGHT), LATER_MS)
    expect(proposal?.window).toMatchObject({ from: '03:00', to: '06:00' })
    expect(proposal?.plan).toMatchObject({
      targetC: 21,
      programme: {
        monday: [
          { at: '00:00', setback: 2 },
          { at: '03:00', setback: 1.5 },
          { at: '06:00', setback: 0 },
          { at: '22:00', setback: 2 },
        ],
      },
    })
  })

  test('is for the target where it is pressed all over the day', () => {
    const presses = ['07:00', '11:00', '15:00', '19:00', '23:00'].map((clock, day) =>
      press(day, clock, { feeling: 'too_warm' }),
    )
    expect(proposalOf(presses, plan(), LATER_MS)).toMatchObject({
      feeling: 'too_warm',
      window: null,
      setpointC: 21,
      proposedC: 20.5,
      plan: { targetC: 20.5, programme: null },
    })
    expect(proposalOf(presses.slice(1), plan(), LATER_MS)).toBeNull()
  })

  test('does not come where the room had not reached its setpoint, or the sun had warmed it', () => {
    expect(
      proposalOf(
        [0, 1, 2].map((day) => press(day, '06:30', { temperatureC: 19.5 })),
        plan(),
        LATER_MS,
      ),
    ).toBeNull()
    const sunny = [0, 1, 2].map((day) => press(day, '14:00', { feeling: 'too_warm', temperatureC: 24 }))
    expect(proposalOf(sunny, plan(), LATER_MS)).toBeNull()
  })

  test('does not come where people contradict each other, after four weeks, or once the plan is as wished', () => {
    const cold = [0, 1, 2].map((day) => press(day, '20:00'))
    expect(proposalOf(cold, plan(), LATER_MS)).not.toBeNull()
    expect(proposalOf([...cold, press(3, '20:00', { feeling: 'too_warm' })], plan(), LATER_MS)).toBeNull()
    expect(proposalOf(cold, plan(), at(30, '12:00'))).toBeNull()
    expect(proposalOf(cold, plan(null, 21.5), LATER_MS)).toBeNull()
  })

  test('changes nothing but its window, which it changes by what it says, in a programme that can be stored', () => {
    const anyPress = fc.record({
      atMs: fc.oneof(
        moment,
        fc.integer({ min: 0, max: 13 }).map((day) => at(day, '20:15')),
      ),
      feeling,
      setpointC: celsius,
      temperatureC: fc.option(celsius),
    })
    let made = 0
    fc.assert(
      fc.property(fc.array(anyPress, { minLength: 3, maxLength: 12 }), anyPlan, (presses, some) => {
        const proposal = proposalOf(presses, some, LATER_MS)
        if (!proposal) return
        made++
        const { window, setpointC, proposedC } = proposal
        const changeK = proposedC - setpointC
        expect(Math.sign(changeK)).toBe(signOf(proposal.feeling))
        expect(Math.abs(changeK)).toBeLessThanOrEqual(1)
        const { programme } = proposal.plan
        expect(programme ? programmeProblems(programme) : []).toEqual([])
        for (let minute = 0; minute < 7 * 24 * 60; minute += 7) {
          const atMs = MONDAY_MS + minute * MINUTE_MS
          const text = new Date(atMs).toISOString().slice(11, 16)
          const weekday = WEEKDAYS[Math.floor(minute / 1440)] as (typeof WEEKDAYS)[number]
          const isIn =
            window === null ||
            (window.weekdays.includes(weekday) && text >= window.from && (text < window.to || window.to === '00:00'))
          const [now, then] = [some, proposal.plan].map(
            (each) => setpointAt(inputs({ ...some, ...each }), atMs).setpointC,
          ) as [number, number]
          expect(then - now).toBeCloseTo(isIn ? changeK : 0, 6)
        }
      }),
      { numRuns: runs(300) },
    )
    expect(made).toBeGreaterThan(0)
  })
})
