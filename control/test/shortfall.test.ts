import { roomPhysics } from '@hypocaust/simulator'
import { expect, test } from 'vitest'
import { type Story, simulatedRoom } from './simulated-room.ts'

const cold = { outdoorAt: () => -5, settings: { targetC: 21 } }
const supplied = (byK: number) => {
  const { heat } = roomPhysics('screed', 180)
  if (heat.kind !== 'water') throw new Error('screed is heated by water')
  return { heat: { ...heat, supplyOffsetK: heat.supplyOffsetK + byK } }
}
const reported = (story: Story) => simulatedRoom(story).seen.filter(({ decision }) => decision.short)

test('a room whose water is too cold for the weather is reported within three days, with how far it is too cold', () => {
  const short = reported({ ...cold, days: 5, physics: supplied(-14) })
  expect(short[0]?.hour).toBeLessThan(72)
  expect(short.at(-1)?.hour).toBeGreaterThan(119)
  const { decision, airC } = short.at(-1) as (typeof short)[number]
  expect(decision.short?.belowK).toBeCloseTo(20.5 - airC, 0)
})

test('a room that is heated in full because it is being warmed up is not', () => {
  expect(reported({ ...cold, days: 6, startC: 10 })).toEqual([])
})

test('a room that is heated in full and warm enough is not', () => {
  expect(reported({ ...cold, days: 5, physics: supplied(-6) })).toEqual([])
})

test('a room whose boiler has failed is reported as that alone', () => {
  expect(reported({ ...cold, days: 6, supplyAt: (hour) => (hour < 48 ? 'running' : 'failed') })).toEqual([])
})
