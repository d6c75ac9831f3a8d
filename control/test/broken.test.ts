import type { Steering } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explain, fitRoom, LEARNED, type RoomControl, type StepInput, stepRoom } from '../src/index.ts'
import { EVERY_FLOOR, HOUR_MS, hold, input, settings, WINTER_MS } from './room.ts'

const cold = (airC: number): StepInput['air'] => ({ kind: 'fresh', airC, ageS: 5 })

/** A room with a belief, a block, a slot and twins. */
const known = (floorType: StepInput['floorType']): RoomControl => hold(4, () => ({ floorType, air: cold(20.2) })).state

/** As if the law held the floor to be far too warm. */
function withHotFloor(state: RoomControl): RoomControl {
  const belief = state.belief
  if (!belief) throw new Error('the room has not been seen')
  return { ...state, belief: { ...belief, mean: [45, 40, 20, 4, 0, 0] } }
}

const LATER_MS = WINTER_MS + 4 * HOUR_MS + 60_000

describe('against frost', () => {
  const steerings: Steering[] = [{ kind: 'automatic' }, { kind: 'off' }, { kind: 'manual', power: 0 }]
  test.each(steerings.flatMap((steering) => EVERY_FLOOR.map((floorType) => ({ steering, floorType }))))(
    'a reading of 3° opens the loop of a $floorType floor that is held to be too warm ($steering.kind)',
    ({ steering, floorType }) => {
      const { power } = stepRoom(
        withHotFloor(known(floorType)),
        input({ floorType, nowMs: LATER_MS, air: cold(3), settings: settings({ steering }) }),
      )
      expect(power).toBe(1)
    },
  )

  test('only a floor that is measured to be too warm leaves it less, and then 30 %', () => {
    const measured = input({ nowMs: LATER_MS, air: cold(3), floorProbeC: 31 })
    expect(stepRoom(known('screed'), measured).power).toBe(0.3)
  })

  test('it opens in the middle of a block, whatever was given in advance', () => {
    const state = { ...known('screed'), owedS: -1800 }
    expect(stepRoom(state, input({ nowMs: LATER_MS, air: cold(4.9) })).power).toBe(1)
  })

  test('where frost protection is off, a room that is off stays shut', () => {
    const off = settings({ frostProtection: false, steering: { kind: 'off' } })
    expect(stepRoom(known('screed'), input({ nowMs: LATER_MS, air: cold(3), settings: off })).power).toBe(0)
  })
})

describe('a model that cannot be true', () => {
  /** The floor is cool, and yet the model expects it to be hot with the loop shut: a source that there is not. */
  const haunted = (): RoomControl => {
    const state = known('dry')
    return { ...state, belief: { spread: state.belief?.spread ?? [], mean: [24, 24, 24, 20, 900, 900] } }
  }

  test('is put aside: the room is heated by its reading, the model is that of the book, and a notice says so', () => {
    const { state, decision, power } = stepRoom(
      haunted(),
      input({ floorType: 'dry', nowMs: WINTER_MS + 5 * HOUR_MS, air: cold(16) }),
    )
    expect(decision.notices).toContain('model-broken')
    expect(decision.rung).toBe('pi')
    expect(power).toBeGreaterThan(0.8)
    expect(state.learned.every((value) => value === 0)).toBe(true)
    expect(explain(decision).details.join(' ')).toMatch(/learned anew/)
  })

  test('days of before it was put aside teach nothing any more, new ones end the notice', () => {
    const first = stepRoom(haunted(), input({ floorType: 'dry', nowMs: WINTER_MS + 5 * HOUR_MS, air: cold(16) }))
    const slotsFrom = (startMs: number) =>
      Array.from({ length: 200 }, (_, i) => ({
        ...{ endMs: startMs + (i + 1) * 1_800_000, airC: 20 + 0.3 * Math.sin(i / 7), power: 0.4 },
        ...{ outdoorC: 0, windMs: 3, solarWm2: 0 },
      }))
    expect(fitRoom(first.state, slotsFrom(WINTER_MS - 120 * HOUR_MS)).brokenMs).not.toBeNull()
    expect(fitRoom(first.state, slotsFrom(WINTER_MS + 6 * HOUR_MS)).brokenMs).toBeNull()
  })

  const heard: [string, (i: number) => StepInput['air']][] = [
    ['every half hour', () => cold(15)],
    ['that reports only changes', (i) => (i % 3 === 0 ? cold(15) : { kind: 'stale', airC: 15, ageS: 1800 * (i % 3) })],
  ]
  test.each(heard)(
    'a floor limit that keeps a cold room shut for hours is such a model, by a sensor %s',
    (_, airAt) => {
      let state = known('screed')
      state.habit = [3600, 3600]
      let broken = false
      for (let i = 1; i <= 16 && !broken; i++) {
        const hot = { spread: state.belief?.spread ?? [], mean: [32, 31, 20, 15, 0, 0] }
        const nowMs = WINTER_MS + 4 * HOUR_MS + i * 1_800_000
        const result = stepRoom({ ...state, belief: hot }, input({ nowMs, air: airAt(i), appliedPower: 0 }))
        state = result.state
        broken = result.decision.notices.includes('model-broken')
      }
      expect(broken).toBe(true)
      expect(state.power).toBeGreaterThan(0.5)
    },
  )

  test('one reading from the sun or the freezer is no reason', () => {
    for (const airC of [-39, 84]) {
      const state = known('dry')
      const glitch = stepRoom(state, input({ floorType: 'dry', nowMs: LATER_MS, air: cold(airC) }))
      const after = stepRoom(glitch.state, input({ floorType: 'dry', nowMs: LATER_MS + 60_000, air: cold(20) }))
      expect(after.decision.notices).not.toContain('model-broken')
    }
  })
})

test('a state of before the share to the air was learned is taken up with what it had learned', () => {
  const state = known('screed')
  const learned = LEARNED.slice(0, 12).map((_, i) => 0.01 * i)
  const { brokenMs: _, heldBackMs: __, ...older } = { ...state, learned }
  const next = stepRoom(older as RoomControl, input({ nowMs: LATER_MS, air: cold(20.2) })).state
  expect(next.learned).toEqual([...learned, 0])
  expect(fitRoom(older as RoomControl, []).learned).toEqual(learned)
})

describe('from any state', () => {
  const anyNumber = fc.oneof(
    fc.double(),
    fc.constantFrom(0, 1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY, null),
    fc.double({ min: -80, max: 80, noNaN: true }),
  )
  const anyPlace = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 6 })
  const spoiled = fc.tuple(fc.constantFrom(...EVERY_FLOOR), fc.array(fc.tuple(anyPlace, anyNumber), { maxLength: 6 }))

  const rooms = new Map(EVERY_FLOOR.map((floorType) => [floorType, known(floorType)]))

  /** The state with some of its numbers replaced, wherever they are. */
  function spoil(state: RoomControl, changes: [number[], number | null][]): RoomControl {
    const copy = structuredClone(state)
    for (const [place, value] of changes) {
      let at: Record<string, unknown> = copy
      for (const step of place) {
        const names = Object.keys(at)
        const name = names[step % Math.max(1, names.length)]
        if (name === undefined) break
        const part = at[name]
        if (typeof part === 'object' && part !== null) at = part as Record<string, unknown>
        else if (typeof part === 'number') at[name] = value
      }
    }
    return copy
  }

  test('and with any reading the power is a number from 0 to 1, and frost opens the loop', () => {
    fc.assert(
      fc.property(spoiled, fc.double({ min: -60, max: 90 }), ([floorType, changes], airC) => {
        let state = spoil(rooms.get(floorType) as RoomControl, changes)
        for (const [i, reading] of [airC, 20, 3].entries()) {
          const nowMs = LATER_MS + i * 1_900_000
          const result = stepRoom(state, input({ floorType, nowMs, air: cold(reading) }))
          expect(result.power >= 0 && result.power <= 1).toBe(true)
          expect(JSON.parse(JSON.stringify(result.decision))).toEqual(result.decision)
          if (reading === 3) expect(result.power).toBe(1)
          state = result.state
        }
      }),
      { numRuns: runs(200) },
    )
  })
})

test('air that a radiator has warmed and that falls when its loop is shut is no open window', () => {
  let { state } = stepRoom(null, input({ air: cold(19.5) }))
  for (let minute = 1; minute <= 6 * 60; minute++) {
    // Every hour 3 K up while the loop is open, and down again.
    const phase = (minute % 60) / 60
    const airC = 19.5 + 3 * Math.max(0, phase < 0.4 ? phase / 0.4 : 1 - (phase - 0.4) / 0.3)
    const result = stepRoom(state, input({ nowMs: WINTER_MS + minute * 60_000, air: cold(airC) }))
    expect(result.decision.notices).not.toContain('window-open')
    state = result.state
  }
})
