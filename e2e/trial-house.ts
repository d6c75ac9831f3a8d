import type { HouseFile } from '@hypocaust/domain'
import { LAKESIDE } from '@hypocaust/testing/houses.ts'

/** A house of a trial: two rooms with these sensors, of which the second has no valve. */
export const trialHouse = (i: number, [first, second]: [string, string]): HouseFile => ({
  ...LAKESIDE,
  name: `House ${i}`,
  rooms: [
    { name: '0', floor_type: 'screed', sensor: first, valves: [{ gateway: 'cellar', channel: 1 }] },
    { name: '0', key: 'other', floor_type: 'timber', sensor: second, valves: [] },
  ],
})
