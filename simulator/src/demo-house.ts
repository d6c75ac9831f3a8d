import type { FloorType } from '@hypocaust/domain'
import type { Place } from './sun.ts'
import type { HousePlan, VirtualRoom } from './virtual-house.ts'

const OSLO: Place = { latDeg: 59.91, lngDeg: 10.75 }

/** Six rooms on one gateway, with every floor type among them, and a year's weather. */
export function demoHouse({
  seed,
  startMs,
  place = OSLO,
}: {
  seed: number
  startMs: number
  place?: Place
}): HousePlan {
  return {
    seed,
    startMs,
    startC: 20,
    climate: { seed, place, meanC: 6.5, seasonSwingK: 10.5, clearness: 0 },
    rooms: [
      room(1, 'Living room', 'screed', 180, [2, 3]),
      room(2, 'Kitchen', 'screed', 90, [1, 4]),
      room(3, 'Bedroom', 'timber', 90, [1, 5]),
      room(4, 'Bathroom', 'electric', 0, [2, 5]),
      room(5, 'Child’s room', 'dry', 270, [3, 4]),
      room(6, 'Cellar', 'slab', 0, [1]),
    ],
  }
}

function room(
  channel: number,
  name: string,
  floorType: FloorType,
  facadeDeg: number,
  neighbours: number[],
): VirtualRoom {
  return {
    channel,
    name,
    sensorId: `a4:c1:38:5e:01:${String(channel).padStart(2, '0')}`,
    floorType,
    facadeDeg,
    neighbours,
  }
}
