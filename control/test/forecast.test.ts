import { expect, test } from 'vitest'
import { estimatedSolarWm2 } from '../src/model/sun.ts'
import { sunnier } from '../src/room/forecast.ts'
import { HOUR_MS, WINTER_MS } from './room.ts'

const PLACE = { lat: 51, lng: 0 }
const NOON_MS = WINTER_MS + 36 * HOUR_MS
const CLOUDY = { outdoorC: 3, cloudPct: 90, windMs: 3, solarWm2: 40 }

test('the sun that may come instead is that of the forecast now, and nearer to a clear sky the further ahead', () => {
  const clearWm2 = estimatedSolarWm2(NOON_MS, PLACE, 0)
  const sunWm2 = (aheadH: number) => sunnier(CLOUDY, NOON_MS - aheadH * HOUR_MS, NOON_MS, PLACE).solarWm2
  expect(sunWm2(0)).toBe(40)
  expect(sunWm2(10)).toBeCloseTo((40 + clearWm2) / 2)
  expect(sunWm2(20)).toBeCloseTo(clearWm2)
  expect(sunWm2(48)).toBeCloseTo(clearWm2)
})

test('a forecast without irradiance is judged by its clouds, and none is brighter than it says', () => {
  const { solarWm2, ...unlit } = sunnier({ ...CLOUDY, cloudPct: 0, solarWm2: null }, WINTER_MS, NOON_MS, PLACE)
  expect(solarWm2).toBeCloseTo(estimatedSolarWm2(NOON_MS, PLACE, 0))
  expect(unlit).toEqual({ outdoorC: 3, cloudPct: 0, windMs: 3 })
  expect(sunnier({ ...CLOUDY, solarWm2: 900 }, WINTER_MS, NOON_MS, PLACE).solarWm2).toBe(900)
})
