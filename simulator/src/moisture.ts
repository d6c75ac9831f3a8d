import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { smoothNoise } from './random.ts'
import { type Climate, weatherAt } from './weather.ts'

/** Buck (1981); the service works with another formula. */
const saturationHpa = (airC: number): number => 6.1121 * Math.exp((18.678 - airC / 234.5) * (airC / (257.14 + airC)))

/** Grams of water in a cubic metre of saturated air. */
export const saturatedGramsPerM3 = (airC: number): number => (216.7 * saturationHpa(airC)) / (airC + 273.15)

export const humidityPct = (gramsPerM3: number, airC: number): number =>
  Math.min(100, (100 * gramsPerM3) / saturatedGramsPerM3(airC))

/** The dew point outdoors lags some kelvins behind the mean of the day, less under clouds. */
export function outdoorHumidityPct(climate: Climate, nowMs: number): number {
  const { outdoorC, cloudPct } = weatherAt(climate, nowMs)
  const dayC = (outdoorC + weatherAt(climate, nowMs - DAY_MS / 2).outdoorC) / 2
  const behindK = 3.5 - 0.02 * cloudPct + 0.8 * smoothNoise(climate.seed + 17, nowMs / (14 * HOUR_MS))
  return humidityPct(saturatedGramsPerM3(dayC - Math.max(0.3, behindK)), outdoorC)
}

/** Water in the air of a room, g/m³, and in what takes it up: plaster, furniture, beds, as the humidity they rest at. */
export type Moisture = { airGramsPerM3: number; materialPct: number }

type MoistureAround = {
  airC: number
  outdoorC: number
  outdoorPct: number
  /** Changes of air in an hour, through joints and windows. */
  airChanges: number
  /** From people, plants, cooking and washing, in an hour and cubic metre. */
  sourceGramsPerM3h: number
}

/** What materials take up for each percent, per cubic metre of room, and how fast. */
const BUFFER = { gramsPerM3Pct: 1.2, hours: 3 }
const STEP_H = 1 / 60

export const settledMoisture = (pct: number, airC: number): Moisture => ({
  airGramsPerM3: (pct / 100) * saturatedGramsPerM3(airC),
  materialPct: pct,
})

/** Moves the moisture on by hours, in place. What the air cannot hold condenses and is gone. */
export function stepMoisture(moisture: Moisture, around: MoistureAround, hours: number): void {
  const { airC, outdoorC, outdoorPct, airChanges, sourceGramsPerM3h } = around
  // Air that comes in keeps its water and gets as warm as the room.
  const outdoorGrams = (outdoorPct / 100) * saturatedGramsPerM3(outdoorC) * ((outdoorC + 273.15) / (airC + 273.15))
  const steps = Math.max(1, Math.ceil(hours / STEP_H))
  const dtH = hours / steps
  for (let i = 0; i < steps; i++) {
    const pct = humidityPct(moisture.airGramsPerM3, airC)
    const taken = (BUFFER.gramsPerM3Pct / BUFFER.hours) * (pct - moisture.materialPct)
    const air =
      moisture.airGramsPerM3 + dtH * (sourceGramsPerM3h - taken + airChanges * (outdoorGrams - moisture.airGramsPerM3))
    moisture.airGramsPerM3 = Math.min(saturatedGramsPerM3(airC), Math.max(0, air))
    moisture.materialPct += (dtH * taken) / BUFFER.gramsPerM3Pct
  }
}
