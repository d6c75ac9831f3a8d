import { seededRandom } from '@hypocaust/simulator'
import { expect, test } from 'vitest'
import { faultsOf } from '../src/soundness/check.ts'
import { drawn } from '../src/soundness/draw.ts'

const DRAWS = 600
const PLANNED_EVERY = 10

test('with every model that the fit may choose, a room stays between the coldest and the warmest of its sources', () => {
  const random = seededRandom(7)
  const faults = Array.from({ length: DRAWS }, (_, i) => {
    const draw = drawn(random)
    return faultsOf(draw, i % PLANNED_EVERY === 0 ? 'plans' : 'moves').faults.map((fault) => ({ fault, draw }))
  })
  expect(faults.flat()).toEqual([])
})

test('what-if and fit take every such model as well', () => {
  const random = seededRandom(8)
  expect(Array.from({ length: 5 }, () => faultsOf(drawn(random), 'learns').faults).flat()).toEqual([])
})
