import type { HouseFile } from '@hypocaust/domain'
import { LAKESIDE } from '@hypocaust/testing/houses.ts'

/** What a release's data folder is asked for after the upgrade. */
export interface ReleasedHouse {
  buildingId: string
  roomId: string
  gatewayId: string
  token: string
  readKey: string
  writeKey: string
  /** History is kept for some days only: the upgrade is tested at this time. */
  writtenAt: string
}

export const EMAIL = 'ada@example.org'
export const ROOM_PATCH = { name: 'Bath', target_temperature: 22.5, preset_mode: 'low' }
const BATHROOM_SENSOR = 'a4:c1:38:5e:01:02'

/** Readings of the bathroom, newest first, two hours apart. */
export const READINGS = 30
export const readingNumber = (i: number, nowMs: number) => ({
  id: BATHROOM_SENSOR,
  temperature: 20 + i / 10,
  humidity: 45,
  timestamp: new Date(nowMs - i * 7_200_000).toISOString(),
})

export const HOUSE: HouseFile = {
  ...LAKESIDE,
  rooms: [
    {
      name: 'Bathroom',
      floor_type: 'screed',
      sensor: BATHROOM_SENSOR,
      valves: [{ gateway: 'cellar', channel: 1 }],
      night_mode: { from: '22:30', to: '05:30', setback: 2 },
    },
    { name: 'Hall', floor_type: 'timber', sensor: 'a4:c1:38:5e:01:03', valves: [{ gateway: 'cellar', channel: 2 }] },
  ],
}
