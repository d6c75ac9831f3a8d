import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distance, folded, matchName } from '../src/holder/match.ts'

const ROOMS = ['Bathroom', 'Guest bath', 'Living room', 'Küche', 'Bedroom 2', 'Bedroom 3', 'Child’s room', 'WC']

const found = (typed: string, names = ROOMS) => {
  const match = matchName(names, (name) => name, typed)
  return match.kind === 'one' ? match.item : match.kind === 'several' ? match.items : undefined
}

describe('a typed name', () => {
  test.each([
    ['Bathroom', 'Bathroom'],
    ['BATHROOM', 'Bathroom'],
    ['kuche', 'Küche'],
    ['KÜCHE', 'Küche'],
    ['  living   room ', 'Living room'],
    ['liv', 'Living room'],
    ['guest', 'Guest bath'],
    ['childs room', 'Child’s room'],
    ['bedroom 3', 'Bedroom 3'],
    ['wc', 'WC'],
  ])('%s is %s', (typed, name) => {
    expect(found(typed)).toBe(name)
  })

  test.each([
    ['bathrom', ['Bathroom']],
    ['bahtroom', ['Bathroom']],
    ['livin rom', ['Living room']],
    ['bedrom 3', ['Bedroom 3']],
  ])('%s is near to %s, and not taken for it', (typed, items) => {
    expect(matchName(ROOMS, (name) => name, typed)).toEqual({ kind: 'near', items })
  })

  test('that fits two rooms is asked about', () => {
    expect(found('bath')).toEqual(['Bathroom', 'Guest bath'])
    expect(found('bedroom')).toEqual(['Bedroom 2', 'Bedroom 3'])
    expect(found('Hall', ['Hall', 'Hall'])).toEqual(['Hall', 'Hall'])
  })

  test('that fits none is none: another number, another short word, nothing', () => {
    for (const typed of ['bedroom 4', 'wd', 'garage', '', '—']) expect(found(typed), typed).toBeUndefined()
  })

  test('a full name always finds its room, whatever the others are called', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (names) => {
        for (const name of names) if (folded(name) !== '') expect(found(name, names)).toBe(name)
      }),
    )
  })
})

test('the distance is one for each slip, and the same both ways', () => {
  expect(['bath', 'bat', 'batht', 'bqth', 'abth', 'kitchen'].map((word) => distance('bath', word))).toEqual([
    0, 1, 1, 1, 1, 5,
  ])
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(distance(a, b)).toBe(distance(b, a))
      expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      expect(distance(a, b) === 0).toBe(a === b)
    }),
  )
})
