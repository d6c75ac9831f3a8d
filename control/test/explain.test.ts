import { describe, expect, test } from 'vitest'
import { doingOf, explain, type StepInput, stepRoom } from '../src/index.ts'
import { hold, input, settings } from './room.ts'

const fresh = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 10 })
const decided = (changes: Partial<StepInput>) => hold(6, () => changes).decision

describe('what is said of a floor', () => {
  test('that is open for the base warmth only is not that it heats to keep the room warm', () => {
    const decision = decided({ air: fresh(21.2), settings: settings({ presetMode: 'low' }), weather: WARM })
    expect(decision.power).toBeGreaterThan(0)
    expect(explain(decision)).toMatchObject({ doing: 'base-warmth', sentence: expect.stringMatching(/base warmth/) })
  })

  test('that rests between two openings is not that the room is warm enough', () => {
    const decision = { ...decided({ air: fresh(20.6) }), power: 0, share: 0.2 }
    expect(explain(decision)).toMatchObject({
      doing: 'between-openings',
      sentence: expect.stringMatching(/Resting between two openings, 20 % on average\.$/),
    })
  })

  test('of a room that is cold already is not that heating can start later, when only the next opening is due', () => {
    const cold = decided({ air: fresh(19) })
    expect(cold.without).not.toBeNull()
    const resting = { ...cold, power: 0, share: 0, caps: ['minimum-pulse' as const] }
    expect(explain(resting)).toMatchObject({
      doing: 'between-openings',
      sentence: expect.stringMatching(/Resting between two openings\.$/),
    })
  })

  test('that a search holds is the search, and neither off nor by hand', () => {
    const off = decided({ settings: settings({ steering: { kind: 'off' } }) })
    const held = decided({ settings: settings({ steering: { kind: 'manual', power: 0.4 } }) })
    expect(explain(off, 'loop-search').sentence).toBe('The search for the room of each loop holds the floor at 0 %.')
    expect(explain(held, 'loop-search').sentence).toBe('The search for the room of each loop holds the floor at 40 %.')
    expect(doingOf(held, 'loop-test')).toBe('loop-test')
  })

  test('is frost protection, also during a search: it opens a loop that a search keeps closed', () => {
    const frozen = stepRoom(null, input({ air: fresh(4), settings: settings({ steering: { kind: 'off' } }) })).decision
    expect(doingOf(frozen, 'loop-search')).toBe('frost')
  })
})

const WARM = { outdoorC: 16, cloudPct: 80, windMs: 3, solarWm2: 0 }
