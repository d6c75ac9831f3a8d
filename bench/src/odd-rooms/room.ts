import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import { perturbed, type RoomPhysics, roomPhysics, seededRandom } from '@hypocaust/simulator'

/** A room that is not what the installer entered. */
export type OddRoom = { number: number; entered: FloorType; physics: RoomPhysics; seed: number; meanC: number }

const SPREAD = 0.3
/** Areas entered ten times too large or too small: heat per square metre is as wrong. */
const ABSURD = 4

/** Part or all of the heat goes to the air, floors are of another type, and every fourth area is absurd. */
export function oddRoom(number: number): OddRoom {
  const random = seededRandom(1000 + number)
  const pick = () => FLOOR_TYPES[Math.min(FLOOR_TYPES.length - 1, Math.floor(random.uniform() * FLOOR_TYPES.length))]
  const entered = FLOOR_TYPES[number % FLOOR_TYPES.length] as FloorType
  const built = number % 3 === 0 ? (pick() as FloorType) : entered
  const room = perturbed(roomPhysics(built, 90 + 180 * random.uniform()), SPREAD, random)
  // Every fifth is a radiator and nothing else.
  const airShare = number % 5 === 4 ? 1 : random.uniform()
  const factor = number % 4 === 3 ? ABSURD ** (2 * random.uniform() - 1) : 1
  return {
    number,
    entered,
    physics: { ...room, airShare, heat: scaled(room.heat, factor) },
    seed: number + 1,
    meanC: 8 * random.uniform() - 4,
  }
}

function scaled(heat: RoomPhysics['heat'], factor: number): RoomPhysics['heat'] {
  if (heat.kind === 'electric') return { ...heat, powerWm2: heat.powerWm2 * factor }
  return { ...heat, pipeWk: heat.pipeWk * factor }
}
