import type { StepInput } from '@hypocaust/control'
import { MAX_FLOOR_C, programmeOfNight } from '@hypocaust/domain'
import type { VirtualHouse, VirtualRoom } from '@hypocaust/simulator'

export const HOUSE_BAND_K = 0.5
export const HOUSE_TARGET_C = 21
export const HOUSE_NIGHT = { from: '22:30', to: '06:00', setback: 2 }
const FRESH_S = 600

interface Room {
  plan: VirtualRoom
  reading: { airC: number; atMs: number } | null
}

/** What the law is given of a room of the virtual house, before heat source and prices. */
export function houseInput(
  { plan, reading }: Room,
  house: VirtualHouse,
  forecast: ReturnType<VirtualHouse['forecast']>,
): StepInput {
  const { nowMs } = house
  const { place } = house.plan.climate
  const ageS = reading ? (nowMs - reading.atMs) / 1000 : 0
  return {
    nowMs,
    floorType: plan.floorType,
    location: { lat: place.latDeg, lng: place.lngDeg },
    settings: {
      targetC: HOUSE_TARGET_C,
      bandK: HOUSE_BAND_K,
      strategy: 'hold',
      programme: programmeOfNight(HOUSE_NIGHT),
      override: null,
      away: null,
      presetMode: 'none',
      steering: { kind: 'automatic' },
      maxFloorC: MAX_FLOOR_C,
      frostProtection: true,
      timeZone: 'UTC',
    },
    air: reading ? { kind: ageS <= FRESH_S ? 'fresh' : 'stale', airC: reading.airC, ageS } : { kind: 'missing' },
    floorProbeC: null,
    weather: house.weather(),
    forecast: forecast.length > 0 ? { startMs: nowMs, hourly: forecast } : null,
    appliedPower: null,
  }
}
