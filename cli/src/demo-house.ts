import type { HouseFile, HouseRoom } from '@hypocaust/domain'

const room = (name: string, channel: number, rest: Omit<HouseRoom, 'name' | 'sensor' | 'valves'>): HouseRoom => ({
  name,
  sensor: `a4:c1:38:00:00:${channel.toString(16).padStart(2, '0')}`,
  valves: [{ gateway: 'cellar', channel }],
  ...rest,
})

const NIGHT = { from: '22:30', to: '05:30', setback: 2, weekend: { from: '23:30', to: '07:00' } }

/** Six rooms on several kinds of floor. */
export const DEMO_HOUSE: HouseFile = {
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }],
  rooms: [
    room('Bathroom', 1, {
      floor_type: 'screed',
      area_m2: 7,
      target_temperature: 22.5,
      preset_mode: 'low',
      max_floor_temperature: 33,
    }),
    room('Kitchen', 2, { floor_type: 'screed', area_m2: 16, target_temperature: 21, night_mode: NIGHT }),
    room('Living room', 3, { floor_type: 'timber', area_m2: 32, target_temperature: 21.5, night_mode: NIGHT }),
    room('Bedroom', 4, {
      floor_type: 'dry',
      area_m2: 15,
      target_temperature: 18.5,
      night_mode: { ...NIGHT, setback: 1 },
    }),
    room('Study', 5, { floor_type: 'slab', area_m2: 12, target_temperature: 20.5 }),
    room('Guest bath', 6, { floor_type: 'electric', area_m2: 5, target_temperature: 21, max_floor_temperature: 33 }),
  ],
}
