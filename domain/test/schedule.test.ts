import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Absence,
  DAY_MS,
  HOUR_MS,
  holdFrom,
  MINUTE_MS,
  minuteOf,
  type Override,
  type Programme,
  programmeOfNight,
  programmeProblems,
  type ScheduleInputs,
  type Setpoint,
  scheduleOf,
  setpointAt,
  setpointsFrom,
  type TargetHold,
  WEEKDAYS,
} from '../src/index.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata', 'UTC']
const START_MS = Date.UTC(2026, 0, 1)
const YEAR_MS = 365 * DAY_MS

const inputs = (changes: Partial<ScheduleInputs> = {}): ScheduleInputs => ({
  targetC: 21,
  steering: { kind: 'automatic' },
  programme: null,
  override: null,
  away: null,
  timeZone: 'Europe/Berlin',
  ...changes,
})

const clock = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16))
const steps = fc
  .uniqueArray(fc.record({ at: clock, setback: fc.integer({ min: 0, max: 6 }) }), {
    maxLength: 5,
    selector: ({ at }) => at,
  })
  .map((day) => day.toSorted((a, b) => a.at.localeCompare(b.at)))
const week: fc.Arbitrary<Programme> = fc
  .tuple(
    fc.tuple(steps, steps, steps, steps, steps, steps, steps),
    fc.array(fc.record({ date: day(), follows: fc.constantFrom(...WEEKDAYS) }), { maxLength: 3 }),
  )
  .map(([days, dates]) => ({ ...Object.fromEntries(WEEKDAYS.map((name, i) => [name, days[i]])), dates }))

function day() {
  return fc.integer({ min: 0, max: 364 }).map((d) => new Date(START_MS + d * DAY_MS).toISOString().slice(0, 10))
}

const moment = fc.integer({ min: 0, max: YEAR_MS / MINUTE_MS }).map((minute) => START_MS + minute * MINUTE_MS)

const anyInputs: fc.Arbitrary<ScheduleInputs> = fc.record({
  targetC: fc.integer({ min: 15, max: 25 }),
  hold: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('step' as const), untilMs: moment, setAtMs: moment }),
      fc.record({ kind: fc.constant('away' as const), setAtMs: moment }),
    ) as fc.Arbitrary<TargetHold>,
  ) as fc.Arbitrary<TargetHold | null>,
  steering: fc.constantFrom(
    { kind: 'automatic' as const },
    { kind: 'off' as const },
    { kind: 'manual' as const, power: 0.3 },
  ),
  programme: fc.option(week),
  override: fc.option(
    fc.oneof(
      fc.record({
        kind: fc.constant('target' as const),
        targetC: fc.constantFrom(18, 24),
        untilMs: moment,
        setAtMs: moment,
      }),
      fc.record({ kind: fc.constant('off' as const), untilMs: moment, setAtMs: moment }),
    ) as fc.Arbitrary<Override>,
  ),
  away: fc.option(
    fc.record({ fromMs: moment, untilMs: moment, setAtMs: moment, targetC: fc.constant(14) }) as fc.Arbitrary<Absence>,
  ),
  timeZone: fc.constantFrom(...ZONES),
})

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
  ]),
)

/** What the wall clock of a zone shows, by another library than ours: 2026-01-10, 08:15. */
function wall(timeZone: string, atMs: number): { date: string; minute: number } {
  const [date = '', time = ''] = formats.get(timeZone)?.format(atMs).split(', ') ?? []
  return { date, minute: minuteOf(time) }
}

/** Every step of these days as the clock passes it: the first minute that shows its time or a later one. */
function passedSteps(programme: Programme, timeZone: string, fromMs: number, toMs: number) {
  const passed: { atMs: number; setback: number }[] = []
  const done = new Set<string>()
  for (let atMs = fromMs; atMs <= toMs; atMs += MINUTE_MS) {
    const { date, minute } = wall(timeZone, atMs)
    const weekday = (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7
    const follows = programme.dates?.find((each) => each.date === date)?.follows
    const name = follows ?? (WEEKDAYS[weekday] as (typeof WEEKDAYS)[number])
    for (const { at, setback } of programme[name] ?? []) {
      if (minuteOf(at) > minute || done.has(`${date} ${at}`)) continue
      done.add(`${date} ${at}`)
      if (atMs > fromMs || minuteOf(at) === minute) passed.push({ atMs, setback })
    }
  }
  return passed
}

describe('a schedule', () => {
  test('has no gaps, differs from part to part, and is what each of its moments says', () => {
    fc.assert(
      fc.property(
        anyInputs,
        moment,
        fc.array(fc.nat({ max: 20 * 24 * 60 }), { maxLength: 20 }),
        (any, fromMs, probes) => {
          const toMs = fromMs + 20 * DAY_MS
          const schedule = scheduleOf(any, fromMs, toMs)
          expect(schedule[0]?.fromMs).toBe(fromMs)
          expect(schedule.at(-1)?.untilMs).toBe(toMs)
          for (const [i, part] of schedule.entries()) {
            expect(part.fromMs).toBeLessThan(part.untilMs)
            const next = schedule[i + 1]
            if (!next) continue
            expect(next.fromMs).toBe(part.untilMs)
            expect([next.setpointC, next.reason, next.steering]).not.toEqual([
              part.setpointC,
              part.reason,
              part.steering,
            ])
          }
          for (const minutes of probes) {
            const atMs = fromMs + minutes * MINUTE_MS
            const part = schedule.find(({ untilMs }) => atMs < untilMs)
            if (part) expect(askedBy(part)).toEqual(askedBy(setpointAt(any, atMs)))
          }
        },
      ),
      { numRuns: runs(200) },
    )
  })

  test('changes at the end that its present names, and not before', () => {
    fc.assert(
      fc.property(anyInputs, moment, (any, atMs) => {
        const { now, next } = setpointsFrom(any, atMs)
        expect(now).toMatchObject(setpointAt(any, atMs))
        if (!next) return
        expect(askedBy(setpointAt(any, next.fromMs - 1))).toEqual(askedBy(now))
        expect(next).toMatchObject(setpointAt(any, next.fromMs))
      }),
      { numRuns: runs(200) },
    )
  })

  test('of a room that is off or under manual power has no next step, whatever its programme', () => {
    for (const steering of [{ kind: 'off' }, { kind: 'manual', power: 0.4 }] as const) {
      const { next } = setpointsFrom(
        inputs({ steering, programme: programmeOfNight({ from: '22:00', to: '06:00', setback: 2 }) }),
        Date.UTC(2026, 0, 12),
      )
      expect(next).toBeNull()
    }
  })
})

/** What a programme would ask for does not count while the room is off or under manual power. */
const askedBy = ({ steering, setpointC, reason }: Setpoint) =>
  steering.kind === 'automatic' ? { steering, setpointC, reason } : { steering }

describe('a programme', () => {
  test('is kept by the clock on the wall, through every change of the clocks, and each step happens once', () => {
    // The days of clock changes in these zones, and some others.
    const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-04', '2026-10-25', '2026-11-01']
    fc.assert(
      fc.property(
        week,
        fc.constantFrom(...ZONES),
        fc.oneof(day(), fc.constantFrom(...changes)),
        (programme, timeZone, date) => {
          const fromMs = Date.parse(`${date}T00:00Z`) - 14 * HOUR_MS
          const toMs = fromMs + 2 * DAY_MS
          const passed = passedSteps(programme, timeZone, fromMs, toMs)
          const any = inputs({ programme, timeZone })
          for (const [i, { atMs, setback }] of passed.entries()) {
            const untilMs = passed[i + 1]?.atMs ?? toMs
            if (untilMs <= atMs) continue
            expect(setpointAt(any, atMs).setpointC).toBe(21 - setback)
            expect(setpointAt(any, untilMs - 1).setpointC).toBe(21 - setback)
          }
        },
      ),
      { numRuns: runs(60) },
    )
  })

  const berlin = (text: string) => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds
  const workday = [
    { at: '05:30', setback: 0 },
    { at: '08:00', setback: 2 },
    { at: '16:30', setback: 0.5 },
    { at: '22:30', setback: 3 },
  ]

  test('holds the last step of the day before until the first, also over days without steps', () => {
    const programme = { monday: workday, friday: [{ at: '12:00', setback: 1 }] }
    const at = (text: string) => setpointAt(inputs({ programme }), berlin(text)).setpointC
    expect(at('2026-01-12T05:29')).toBe(20)
    expect(at('2026-01-12T05:30')).toBe(21)
    expect(at('2026-01-12T17:00')).toBe(20.5)
    expect(at('2026-01-14T12:00')).toBe(18)
    expect(at('2026-01-16T11:59')).toBe(18)
    expect(at('2026-01-18T23:00')).toBe(20)
  })

  test('lets a single date follow another weekday', () => {
    const programme = {
      monday: workday,
      thursday: [{ at: '09:00', setback: 0 }],
      dates: [{ date: '2026-01-15', follows: 'monday' as const }],
    }
    expect(setpointAt(inputs({ programme }), berlin('2026-01-15T08:30')).setpointC).toBe(19)
    expect(setpointAt(inputs({ programme }), berlin('2026-01-22T09:30')).setpointC).toBe(21)
  })

  test('moves as a whole with the target, and no room is planned colder than an empty building', () => {
    const programme = { monday: workday }
    const at = (targetC: number) => setpointAt(inputs({ programme, targetC }), berlin('2026-01-12T23:00')).setpointC
    expect([at(21), at(23), at(7)]).toEqual([18, 20, 5])
  })

  test('of a night is what the night says', () => {
    const night = { from: '22:30', to: '06:00', setback: 2, weekend: { from: '23:30', to: '08:00' } }
    expect(programmeOfNight(night)).toMatchObject({
      friday: [
        { at: '00:00', setback: 2 },
        { at: '06:00', setback: 0 },
        { at: '22:30', setback: 2 },
      ],
      saturday: [
        { at: '00:00', setback: 2 },
        { at: '08:00', setback: 0 },
        { at: '23:30', setback: 2 },
      ],
    })
    expect(programmeOfNight({ from: '22:00', to: '00:00', setback: 2 }).monday).toEqual([
      { at: '00:00', setback: 0 },
      { at: '22:00', setback: 2 },
    ])
  })

  test('is refused where it contradicts itself', () => {
    const problems = (programme: Programme) =>
      programmeProblems(programme).map(({ path, message }) => `${path.join('.')} ${message}`)
    expect(problems({})).toEqual([' must have at least one step'])
    expect(problems({ monday: [workday[1], workday[0]] as typeof workday })).toEqual([
      'monday.1.at must be later than the step before it',
    ])
    const dates = [
      { date: '2026-02-30', follows: 'monday' as const },
      { date: '2026-03-01', follows: 'monday' as const },
      { date: '2026-03-01', follows: 'sunday' as const },
    ]
    expect(problems({ monday: workday, dates })).toEqual([
      'dates.0.date no such date: 2026-02-30',
      'dates.2.date 2026-03-01 is there twice',
    ])
  })
})

describe('what counts', () => {
  const span = { untilMs: START_MS + HOUR_MS, setAtMs: START_MS }
  const away: Absence = { fromMs: START_MS, untilMs: START_MS + DAY_MS, setAtMs: START_MS - 1, targetC: 15 }

  test('is an override before manual power, manual power before an absence', () => {
    const manual = { kind: 'manual' as const, power: 0.3 }
    const at = (changes: Partial<ScheduleInputs>) => setpointAt(inputs(changes), START_MS)
    expect(at({ override: { kind: 'target', targetC: 24, ...span }, steering: manual, away })).toMatchObject({
      setpointC: 24,
      reason: 'override',
      steering: { kind: 'automatic' },
    })
    expect(at({ steering: manual, away })).toMatchObject({ setpointC: 15, reason: 'manual', steering: manual })
    expect(at({ override: { kind: 'off', ...span }, away })).toMatchObject({ reason: 'off', steering: { kind: 'off' } })
    expect(at({ away })).toMatchObject({ setpointC: 15, reason: 'away' })
    expect(at({ away, targetC: 12 })).toMatchObject({ setpointC: 12, reason: 'away' })
  })

  test('is a target that is set now: exactly it, until the next step or the end of the absence', () => {
    fc.assert(
      fc.property(anyInputs, moment, (any, nowMs) => {
        const dialled: ScheduleInputs = { ...any, steering: { kind: 'automatic' }, override: null }
        const set: ScheduleInputs = { ...dialled, hold: holdFrom(dialled, nowMs) }
        const { now } = setpointsFrom(set, nowMs)
        expect(now.setpointC).toBe(any.targetC)
        const isAway = any.away !== null && nowMs >= any.away.fromMs && nowMs < any.away.untilMs
        const isHeldByAway = set.hold?.kind === 'away'
        expect(isHeldByAway).toBe(isAway && any.away !== null && any.away.targetC < any.targetC)
        // What comes after is as if the target had always been the base.
        const endMs = isHeldByAway ? (any.away?.untilMs ?? 0) : set.hold?.kind === 'step' ? set.hold.untilMs : nowMs
        const base: ScheduleInputs = { ...set, hold: null }
        if (Number.isFinite(endMs)) expect(setpointAt(set, endMs)).toEqual(setpointAt(base, endMs))
      }),
      { numRuns: runs(300) },
    )
  })

  test('is an absence that was set after the target', () => {
    const hold = { kind: 'step' as const, setAtMs: START_MS - HOUR_MS, untilMs: START_MS + HOUR_MS }
    expect(setpointAt(inputs({ hold, away }), START_MS)).toMatchObject({ setpointC: 15, reason: 'away' })
    const later = { ...hold, setAtMs: START_MS }
    expect(setpointAt(inputs({ hold: later, away }), START_MS)).toMatchObject({ setpointC: 21, reason: 'target' })
  })

  test('ends with the absence it was set in, also where that is cancelled', () => {
    const hold = { kind: 'away' as const, setAtMs: START_MS }
    const programme = programmeOfNight({ from: '20:00', to: '06:00', setback: 3 })
    expect(setpointAt(inputs({ hold, away, programme }), START_MS).setpointC).toBe(21)
    expect(setpointAt(inputs({ hold, away: null, programme }), START_MS)).toMatchObject({
      setpointC: 18,
      reason: 'programme',
    })
  })
})
