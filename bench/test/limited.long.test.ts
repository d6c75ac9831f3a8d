import { expect, test } from 'vitest'
import { compareLimited } from '../src/comfort/limited.ts'
import { limitedTable } from '../src/comfort/limited-table.ts'
import { capsOf, mostHeatWm2 } from '../src/comfort/limits.ts'
import { createWorld } from '../src/comfort/world.ts'

const choice = { floorType: 'electric' as const, scenario: 'power-limit', seed: 1 }
const world = createWorld(choice)

test('each day has two hours with a limit, announced up to twelve hours before, every second one what § 14a leaves', () => {
  const caps = capsOf(world)
  expect(caps).toHaveLength(14)
  expect(caps.filter(({ powerW }) => powerW === 4200)).toHaveLength(7)
  for (const { announcedS, fromS, untilS, powerW } of caps) {
    expect(untilS - fromS).toBe(7200)
    expect(fromS - announcedS).toBeGreaterThanOrEqual(0)
    expect(fromS - announcedS).toBeLessThanOrEqual(12 * 3600)
    expect(mostHeatWm2(world, caps, fromS)).toBeCloseTo(powerW / 200)
    expect(mostHeatWm2(world, caps, untilS)).toBe(Number.POSITIVE_INFINITY)
  }
})

test('shares keep a mat within its limits, a plan that knows of none does not, and perfect foresight is the best', () => {
  const result = compareLimited({ choice })
  const { controllers } = result
  expect(controllers['perfect foresight'].overKwh).toBeLessThan(0.5)
  expect(controllers['shares, announced'].overKwh).toBeLessThan(0.3 * controllers['no limit known'].overKwh)
  expect(controllers['perfect foresight'].j).toBeLessThan(controllers['shares, announced'].j)
  expect(limitedTable([result])).toContain('electric')
})
