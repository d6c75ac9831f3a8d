import type { Slot } from '@hypocaust/control'
import { seededRandom } from '@hypocaust/simulator'
import { BuiltInPlant } from '../src/comfort/built-in-plant.ts'
import { AS_SHIPPED, createPeer } from '../src/comfort/peers.ts'
import { STEP_S } from '../src/comfort/run.ts'
import { createWorld } from '../src/comfort/world.ts'

const SLOT_S = 1800
export const SLOT_MS = SLOT_S * 1000
export const START_MS = Date.UTC(2026, 0, 12)

/** Half hours of a house of the simulator with a thermostat of another kind, as a recorder would keep them. */
export function recordedHouse(days: number, seed = 1): Slot[] {
  const plant = new BuiltInPlant(createWorld({ floorType: 'electric', scenario: 'winter', seed }))
  const thermostat = createPeer('tpi-30min', 'electric', AS_SHIPPED)
  const slots: Slot[] = []
  let sensorC: number | null = null
  let airC: number | null = null
  let openS = 0
  for (let nowS = 0; nowS < days * 86_400; nowS += STEP_S) {
    const open = thermostat.step({ nowS, sensorC, plant })
    sensorC = plant.advance({ dtS: STEP_S, open }).sensorC
    airC = sensorC ?? airC
    openS += open * STEP_S
    if ((nowS + STEP_S) % SLOT_S !== 0) continue
    const { outdoorC, windMs, solarWm2 } = plant.weather(nowS, 0).now
    slots.push({ endMs: START_MS + (nowS + STEP_S) * 1000, airC, power: openS / SLOT_S, outdoorC, windMs, solarWm2 })
    openS = 0
  }
  return slots
}

/** A house made of a formula: what each half hour shows, given its number. */
export function formulaHouse(days: number, slot: (index: number) => Partial<Slot>): Slot[] {
  return Array.from({ length: 48 * days }, (_, index) => ({
    endMs: START_MS + (index + 1) * SLOT_MS,
    airC: 20,
    power: 0,
    outdoorC: 5,
    windMs: 3.5,
    solarWm2: 0,
    ...slot(index),
  }))
}

/** Nothing about tomorrow can be known from today. */
export function randomWalk(days: number): Slot[] {
  const random = seededRandom(5)
  let airC = 20
  return formulaHouse(days, () => {
    airC = 20 + 0.995 * (airC - 20) + 0.1 * random.gaussian()
    return { airC, power: random.uniform(), outdoorC: 10 * random.uniform() }
  })
}
