import { expect, test } from 'vitest'
import { humidityPct, outdoorHumidityPct, settledMoisture, stepMoisture } from '../src/index.ts'

const WINTER = { airC: 20, outdoorC: 0, outdoorPct: 85, airChanges: 0.4, sourceGramsPerM3h: 0 }
const after = (hours: number, around: Partial<typeof WINTER>, startPct = 55) => {
  const moisture = settledMoisture(startPct, 20)
  stepMoisture(moisture, { ...WINTER, ...around }, hours)
  return humidityPct(moisture.airGramsPerM3, 20)
}

test('an empty room dries in winter, and people keep it humid', () => {
  expect(after(24 * 14, {})).toBeLessThan(30)
  expect(after(24 * 14, { sourceGramsPerM3h: 2 })).toBeGreaterThan(45)
})

test('airing dries the air at once, and materials bring half of it back', () => {
  const moisture = settledMoisture(60, 20)
  stepMoisture(moisture, { ...WINTER, airChanges: 15 }, 0.2)
  const aired = humidityPct(moisture.airGramsPerM3, 20)
  stepMoisture(moisture, { ...WINTER, airChanges: 0 }, 2)
  const later = humidityPct(moisture.airGramsPerM3, 20)
  expect(aired).toBeLessThan(40)
  expect(later).toBeGreaterThan(aired + 8)
  expect(later).toBeLessThan(60)
})

test('the air outdoors is humid in winter, and within its limits', () => {
  const climate = { seed: 1, place: { latDeg: 51, lngDeg: 7 }, meanC: 9.5, seasonSwingK: 9, clearness: 0 }
  const hours = Array.from({ length: 24 * 60 }, (_, i) =>
    outdoorHumidityPct(climate, Date.UTC(2026, 0, 1) + i * 3_600_000),
  )
  expect(Math.min(...hours)).toBeGreaterThan(30)
  expect(Math.max(...hours)).toBeLessThanOrEqual(100)
  expect(hours.reduce((sum, each) => sum + each, 0) / hours.length).toBeGreaterThan(70)
})
