import type { ReportedSensor } from '@hypocaust/domain'

/** A breath raises humidity by twenty points and more; a sensor's noise and its room's own air by a few. */
const BREATH_PCT = 10

/** "Breathe on it": the sensor in the hand is the one whose humidity has just risen, far more than at any other. */
export function breathedOn(sensors: ReportedSensor[]): string | undefined {
  const [most, next] = sensors.toSorted((a, b) => (b.humidity_rise ?? 0) - (a.humidity_rise ?? 0))
  const leadPct = (most?.humidity_rise ?? 0) - (next?.humidity_rise ?? 0)
  return leadPct >= BREATH_PCT ? most?.id : undefined
}
