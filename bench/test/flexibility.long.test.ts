import { expect, test } from 'vitest'
import { flexibleHouse } from '../src/flexibility/house.ts'
import { flexibilityTable, promisedOf } from '../src/flexibility/table.ts'

test('a house that the law was not made after delivers about what it promised, and the table says so', () => {
  const house = flexibleHouse({ floorType: 'electric', scenario: 'power-limit', seed: 5 })
  expect(house.calls.filter(({ direction }) => direction === 'less')).toHaveLength(7)
  for (const direction of ['less', 'more'] as const) {
    const { promisedKwh, deliveredKwh } = promisedOf([house], direction)
    expect(promisedKwh).toBeGreaterThan(5)
    expect(Math.abs(deliveredKwh / promisedKwh - 1)).toBeLessThan(0.3)
  }
  expect(flexibilityTable([house])).toContain('electric 5')
})
