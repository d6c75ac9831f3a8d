import type { FloorType } from '@hypocaust/domain'
import { DAY_S, type Scenario } from '../comfort/scenarios.ts'

/** What is wrong with a house of the benchmark, one at a time. */
export const FAULTS = [
  'little-flow',
  'stuck-closed',
  'stuck-open',
  'sensor-in-sun',
  'sensor-on-cold-wall',
  'sensors-swapped',
  'supply-too-cold',
  'source-without-heat',
  'heat-off-at-night',
  'window-often-open',
  'sensor-frozen',
  'other-floor',
] as const
export type Fault = (typeof FAULTS)[number]

/** Houses in which nothing is wrong, though something may look like it. */
export const HEALTHY = ['winter', 'spring', 'stove', 'aired-daily', 'cold-snap', 'coarse-sensor'] as const
export type Healthy = (typeof HEALTHY)[number]
export type Condition = Fault | Healthy

export const isFault = (condition: Condition): condition is Fault => FAULTS.some((fault) => fault === condition)

export const DAYS = 14
/** What breaks, breaks on this day; what an installer has left behind is there from the first one. */
const BREAKS_ON_DAY = 7

export const isOfHouse = (fault: Fault): boolean =>
  fault === 'supply-too-cold' || fault === 'source-without-heat' || fault === 'heat-off-at-night'

const LEFT_BEHIND: ReadonlySet<Fault> = new Set([
  'sensor-in-sun',
  'sensor-on-cold-wall',
  'sensors-swapped',
  'supply-too-cold',
  'heat-off-at-night',
  'other-floor',
])

/** Every second loop has had little flow from the start. */
export const beginsOnDay = (fault: Fault, seed: number): number =>
  LEFT_BEHIND.has(fault) || (fault === 'little-flow' && seed % 2 === 0) ? 0 : BREAKS_ON_DAY

const at = (fromDay: number, hour: number, hours: number) =>
  Array.from({ length: DAYS - fromDay }, (_, i) => {
    const fromS = (fromDay + i) * DAY_S + hour * 3600
    return { fromS, toS: fromS + hours * 3600 }
  })

const OTHER_FLOOR: Record<FloorType, FloorType> = {
  screed: 'dry',
  dry: 'slab',
  timber: 'dry',
  slab: 'dry',
  electric: 'slab',
}

/** Every fault in winter, but for the one that needs the sun. */
export const healthyWithout = (fault: Fault): Healthy => (fault === 'sensor-in-sun' ? 'spring' : 'winter')

/** As far as a scenario has it; actuators and sensors fail in `DiagnosedRoom`. */
export function scenarioWith(condition: Condition, seed: number): Scenario {
  const season = condition === 'spring' || condition === 'sensor-in-sun' ? 'shoulder' : 'winter'
  const healthy: Scenario = { name: condition, season, isDrawnApart: true }
  const day = isFault(condition) ? beginsOnDay(condition, seed) : 0
  switch (condition) {
    case 'stove':
      return { ...healthy, stove: at(0, 18, 3).filter((_, i) => i % 2 === seed % 2) }
    case 'aired-daily':
      return { ...healthy, windows: at(0, 7.5, 0.5) }
    case 'cold-snap':
      return { ...healthy, coldSnap: { day: 9 } }
    case 'coarse-sensor':
      return { ...healthy, sensorStepK: 0.5 }
    case 'sensor-on-cold-wall':
      return { ...healthy, outsideWallShare: 0.08 }
    case 'supply-too-cold':
      return { ...healthy, supplyK: -9 }
    case 'source-without-heat':
      return { ...healthy, noHeat: [{ fromS: day * DAY_S, toS: Number.POSITIVE_INFINITY }] }
    case 'heat-off-at-night':
      return { ...healthy, noHeat: at(day, 22, 7) }
    case 'window-often-open':
      return { ...healthy, windows: [...at(day, 7, 1.5), ...at(day, 12, 1.5), ...at(day, 19, 2)] }
    case 'other-floor':
      return seed % 2 === 0 ? { ...healthy, configured: OTHER_FLOOR } : { ...healthy, airShare: 1 }
    default:
      return healthy
  }
}
