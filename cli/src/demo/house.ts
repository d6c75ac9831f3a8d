import type { HouseFile, HouseRoom } from '@hypocaust/domain'
import { demoHouse, type HousePlan } from '@hypocaust/simulator'

const SEED = 12
const NIGHT = { from: '22:30', to: '05:30', setback: 2, weekend: { from: '23:30', to: '07:00' } }

type Furnishing = Partial<Omit<HouseRoom, 'name' | 'sensor' | 'valves' | 'floor_type'>>

/** What the plan of the virtual house does not know: how people live in it. */
const FURNISHING: Record<string, Furnishing> = {
  'Living room': { area_m2: 32, target_temperature: 21.5, night_mode: NIGHT },
  Kitchen: { area_m2: 16, target_temperature: 21, night_mode: NIGHT },
  Bedroom: { area_m2: 15, target_temperature: 18.5, night_mode: { ...NIGHT, setback: 1 } },
  Bathroom: { area_m2: 7, target_temperature: 22.5, preset_mode: 'low', max_floor_temperature: 33 },
  'Child’s room': { area_m2: 14, target_temperature: 20.5, night_mode: { ...NIGHT, from: '20:00' } },
  Cellar: { area_m2: 18, target_temperature: 17 },
}

export const housePlan = (startMs: number): HousePlan => demoHouse({ seed: SEED, startMs })

/** The same house as a holder would describe it. */
export function houseFile(): HouseFile {
  const { rooms, climate } = housePlan(0)
  return {
    name: 'Lakeside 12',
    location: { lat: climate.place.latDeg, lng: climate.place.lngDeg },
    timezone: 'Europe/Oslo',
    gateways: [{ name: 'cellar' }],
    rooms: rooms.map(({ name, channel, sensorId, floorType }) => ({
      name,
      floor_type: floorType,
      sensor: sensorId,
      valves: [{ gateway: 'cellar', channel }],
      ...FURNISHING[name],
    })),
  }
}
