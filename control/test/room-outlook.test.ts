import { programmeOfNight } from '@hypocaust/domain'
import { describe, expect, test } from 'vitest'
import { previewWarmUp, roomOutlook, roomPlan, stepRoom } from '../src/index.ts'
import { HOUR_MS, hold, input, settings, WINTER_MS } from './room.ts'

const fresh = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 10 })
const NOW_MS = WINTER_MS + 12 * HOUR_MS

/** A room that has been like this for half a day, and what comes of it. */
function after12Hours<T>(of: (...room: Parameters<typeof roomOutlook>) => T, changes: Parameters<typeof input>[0]): T {
  const { state } = hold(12, () => changes ?? {})
  return of(state, input({ nowMs: NOW_MS, ...changes }))
}
const outlookOf = (changes: Parameters<typeof input>[0]) => after12Hours(roomOutlook, changes)
const planOf = (changes: Parameters<typeof input>[0]) => after12Hours(roomPlan, changes)

describe('the outlook', () => {
  test('of a room at its setpoint is that it is reached', () => {
    expect(outlookOf({ air: fresh(21) })).toMatchObject({
      setpoint: { setpointC: 21, reason: 'target' },
      next: null,
      reach: { kind: 'reached' },
      warmUp: null,
    })
  })

  test('of a colder room says when it will be warm, and what heat that takes; later where it is colder', () => {
    const expected = (airC: number) => {
      const { reach } = outlookOf({ air: fresh(airC) })
      if (reach.kind !== 'expected') throw new Error(reach.kind)
      return reach
    }
    const [near, far] = [expected(20.5), expected(19)]
    expect(near.atMs).toBeGreaterThan(NOW_MS)
    expect(far.atMs).toBeGreaterThan(near.atMs)
    expect(far.heatKwhM2).toBeGreaterThan(near.heatKwhM2)
    expect(far.heatKwhM2).toBeLessThan(2)
  })

  test.each([
    ['off', { settings: settings({ steering: { kind: 'off' } }) }],
    ['manual', { settings: settings({ steering: { kind: 'manual', power: 0.2 } }) }],
    ['no-valve', { unreached: { kind: 'no-valve' } }],
    ['no-gateway', { unreached: { kind: 'no-gateway' } }],
    ['gateway-lost', { unreached: { kind: 'gateway-lost', power: 0.1 } }],
    ['open-window', { window: 'open' }],
    ['too-little-heat', { settings: settings({ targetC: 33 }) }],
    [
      'ends-before',
      {
        settings: settings({
          override: { kind: 'target', targetC: 25, untilMs: NOW_MS + HOUR_MS, setAtMs: NOW_MS - HOUR_MS },
        }),
      },
    ],
  ] as const)('says that the setpoint will not be reached, and why: %s', (why, changes) => {
    expect(outlookOf({ air: fresh(18), ...changes }).reach).toEqual({ kind: 'no', why })
  })

  test('without any reading promises nothing', () => {
    expect(roomOutlook(null, input({ air: { kind: 'missing' } })).reach).toEqual({ kind: 'no', why: 'no-reading' })
  })

  test('names the next step, and from when the floor is heated for it', () => {
    const programme = programmeOfNight({ from: '12:00', to: '23:00', setback: 1 })
    const { setpoint, next, warmUp } = outlookOf({ settings: settings({ programme }), air: fresh(20.1) })
    const stepMs = WINTER_MS + 22 * HOUR_MS
    expect(setpoint).toMatchObject({ setpointC: 20, reason: 'programme', untilMs: stepMs })
    expect(next).toMatchObject({ setpointC: 21, fromMs: stepMs })
    expect(warmUp).toMatchObject({ atMs: stepMs, setpointC: 21 })
    // By the step the plan brings the room into its band, and not further.
    expect(warmUp?.expectedC).toBeGreaterThan(20.45)
    expect(warmUp?.heatsFromMs).toBeGreaterThanOrEqual(NOW_MS)
    expect(warmUp?.heatsFromMs).toBeLessThan(stepMs - HOUR_MS)
  })

  test('of frost protection is its own setpoint, whatever was set', () => {
    const { aim } = outlookOf({ settings: settings({ steering: { kind: 'off' } }), air: fresh(4) })
    expect(aim).toMatchObject({ reason: 'frost', targetC: 6 })
  })
})

test('a preview of a higher step begins earlier and takes more heat', () => {
  const { state } = hold(12, () => ({ air: fresh(19) }))
  const preview = (toC: number) => {
    const step = { atMs: NOW_MS + 18 * HOUR_MS, fromC: 19, toC }
    const warmUp = previewWarmUp(state, input({ nowMs: NOW_MS, air: fresh(19) }), step)
    if (!warmUp?.heatsFromMs) throw new Error('no heat')
    return { ...warmUp, heatsFromMs: warmUp.heatsFromMs }
  }
  const [low, high] = [preview(19.5), preview(20)]
  expect(high.heatsFromMs).toBeLessThan(low.heatsFromMs)
  expect(high.heatKwhM2).toBeGreaterThan(low.heatKwhM2)
  expect(high.heatsFromMs).toBeGreaterThan(NOW_MS)
})

describe('a plan with an override', () => {
  const span = { setAtMs: NOW_MS, untilMs: NOW_MS + HOUR_MS }
  const powerWith = (changes: Parameters<typeof settings>[0], airC: number) => {
    const { state } = hold(12, () => ({ settings: settings({ ...changes, override: null }), air: fresh(airC) }))
    return stepRoom(state, input({ nowMs: NOW_MS, settings: settings(changes), air: fresh(airC) })).power
  }

  test('of an hour heats a floor that answers after four', () => {
    expect(powerWith({ override: { kind: 'target', targetC: 24, ...span } }, 21)).toBeGreaterThan(0.7)
  })

  test('that lowers a room for an hour is not taken for longer: the room is warm again by its end', () => {
    const lowered = { kind: 'target' as const, targetC: 17, ...span }
    expect(powerWith({ override: lowered }, 19)).toBeGreaterThan(0.7)
    expect(powerWith({ override: { ...lowered, untilMs: NOW_MS + 40 * HOUR_MS } }, 19)).toBe(0)
  })
})

describe('between two plans the outlook', () => {
  const MINUTE_MS = HOUR_MS / 60
  const programme = programmeOfNight({ from: '12:00', to: '14:10', setback: 2 })
  const changes = { settings: settings({ programme }), air: fresh(19.1) }
  const { state } = stepRoom(hold(12, () => changes).state, input({ nowMs: NOW_MS, ...changes }))
  const later = (minutes: number, airC: number) =>
    roomOutlook(state, input({ nowMs: NOW_MS + minutes * MINUTE_MS, ...changes, air: fresh(airC) }))

  test('promises what the plan promises that moves the valve, whatever is read', () => {
    const { warmUp, reach } = later(0, 19.1)
    expect(warmUp).toMatchObject({ setpointC: 21 })
    expect(reach).toEqual({ kind: 'reached' })
    for (const [minutes, airC] of [
      [1, 19.2],
      [9, 18.9],
      [25, 19],
    ] as const)
      expect(later(minutes, airC).warmUp).toEqual(warmUp)
  })

  test('is about the setpoint of the moment, also where that changes before the next plan', () => {
    const risen = roomOutlook(
      stepRoom(state, input({ nowMs: NOW_MS + 61 * MINUTE_MS, ...changes })).state,
      input({ nowMs: NOW_MS + 71 * MINUTE_MS, ...changes }),
    )
    expect(risen).toMatchObject({
      setpoint: { setpointC: 21 },
      warmUp: null,
      reach: { kind: 'no', why: 'ends-before' },
    })
  })
})

describe('what a higher step ahead promises', () => {
  const stepMs = WINTER_MS + 13 * HOUR_MS
  const rising = (airC: number) => {
    const programme = programmeOfNight({ from: '12:00', to: '14:00', setback: 2 })
    return outlookOf({ settings: settings({ programme }), air: fresh(airC) }).warmUp
  }

  test('is what the plan expects at that moment, and not what was wished', () => {
    const warmUp = rising(19.1)
    if (!warmUp) throw new Error('no rise')
    expect(warmUp).toMatchObject({ atMs: stepMs, setpointC: 21, isInTime: false })
    expect(warmUp.expectedC).toBeLessThan(20.5)
    expect(warmUp.reachedMs).toBeGreaterThan(stepMs)
  })

  test('is kept at once where the room is warm enough already', () => {
    expect(rising(21.3)).toMatchObject({ isInTime: true, reachedMs: stepMs })
  })

  test('is nothing while the room is off or under manual power, whatever its programme', () => {
    const programme = programmeOfNight({ from: '12:00', to: '23:00', setback: 1 })
    for (const steering of [{ kind: 'off' }, { kind: 'manual', power: 0.3 }] as const) {
      const changes = { settings: settings({ programme, steering }), air: fresh(20) }
      expect(outlookOf(changes)).toMatchObject({ next: null, warmUp: null })
      expect(planOf(changes)).toEqual([])
    }
  })

  test('is nothing while a lower step comes first: what is named is never below what holds now', () => {
    const programme = programmeOfNight({ from: '14:00', to: '20:00', setback: 2 })
    const override = { kind: 'target' as const, targetC: 23, untilMs: NOW_MS + HOUR_MS, setAtMs: NOW_MS }
    const { next, warmUp } = outlookOf({ settings: settings({ programme, override }), air: fresh(21) })
    expect(next).toMatchObject({ setpointC: 19 })
    expect(warmUp).toBeNull()
  })
})

test('the plan goes on from now, with an error that grows', () => {
  const plan = planOf({ air: fresh(20) })
  expect(plan[0]?.atMs).toBeGreaterThan(NOW_MS)
  expect(plan.at(-1)?.atMs).toBe(NOW_MS + 48 * HOUR_MS)
  const errors = plan.map(({ errorK }) => errorK)
  expect(errors).toEqual(errors.toSorted((a, b) => a - b))
  expect(Math.max(...plan.map(({ share }) => share))).toBeLessThanOrEqual(1)
})
