import { HOUR_S } from '@hypocaust/domain/facts'
import { expect, test } from 'vitest'
import { BuiltInPlant } from '../src/comfort/built-in-plant.ts'
import { PerfectStart } from '../src/comfort/early-start.ts'
import { AS_SHIPPED, createPeer } from '../src/comfort/peers.ts'
import { run } from '../src/comfort/run.ts'
import { createWorld } from '../src/comfort/world.ts'

const DAY_S = 24 * HOUR_S
const world = createWorld({ floorType: 'dry', scenario: 'irregular-week', seed: 1 })

test('nobody knows of an override before it is set', () => {
  const plant = new BuiltInPlant(world)
  const [before, evening] = [17 * HOUR_S, 20 * HOUR_S]
  expect(plant.setpoint(evening, before).targetC).toBe(21)
  expect(plant.setpoint(evening).targetC).toBe(22)
  expect(plant.scheduleInputs(before)?.override).toBeNull()
})

test('a weekday has four steps, and the weekend others', () => {
  const plant = new BuiltInPlant(world)
  const at = (day: number, hour: number) => plant.setpoint(day * DAY_S + hour * HOUR_S, day * DAY_S).targetC
  expect([5, 6, 9, 17, 23].map((hour) => at(1, hour))).toEqual([18, 21, 19, 21, 18])
  expect([7, 8, 12, 18].map((hour) => at(5, hour))).toEqual([18, 21, 20, 21])
})

test('a peer with a perfect early start is warm by the step, where the same peer without it is not', () => {
  const morning = { name: 'morning', fromS: 2 * DAY_S + 5.5 * HOUR_S, toS: 2 * DAY_S + 6.5 * HOUR_S }
  const lowKh = (isEarly: boolean) => {
    const plant = new BuiltInPlant(world)
    const start = new PerfectStart(world, plant, 0)
    const peer = createPeer('tpi', 'dry', AS_SHIPPED, isEarly ? (nowS) => start.targetC(nowS) : undefined)
    return run(plant, peer, [morning]).scores.get('morning')?.lowKh ?? 0
  }
  expect(lowKh(false)).toBeGreaterThan(1)
  expect(lowKh(true)).toBeLessThan(0.2)
})
