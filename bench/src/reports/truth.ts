import type { RoomPhysics } from '@hypocaust/simulator'
import { GROUND_C, waterWk } from '@hypocaust/simulator'

/** A room at rest: held at this air temperature, with the rooms beside it. */
type RestingRoom = { physics: RoomPhysics; airC: number; beside: number[] }

export type Rest = { needsWm2: number; wallC: number; pipeC: number; supplyC: number | null }

/** Of people and appliances over the day, as the virtual house has them. */
const PEOPLE_WM2 = 2.9
const TURNS = 40

/** What each room needs at an outdoor temperature, on a cloudy day without wind above the usual, at rest. */
export function atRest(rooms: RestingRoom[], outdoorC: number): Rest[] {
  let walls = rooms.map(({ airC }) => airC)
  let rests: Rest[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    rests = rooms.map((room) => restOf(room, outdoorC, meanOf(room.beside.map((i) => walls[i] as number))))
    walls = rests.map(({ wallC }) => wallC)
  }
  return rests
}

/** Air and walls balance without the floor's surface but for the heat it gives. */
function restOf({ physics, airC }: RestingRoom, outdoorC: number, neighbourC: number): Rest {
  const { convectionWk: hc, radiationWk: hr, airToWallWk: aw, wallLossWk, neighbourWk, downWk, heat } = physics
  const half = PEOPLE_WM2 / 2
  // Air: hc·(s − a) + aw·(w − a) = loss; walls: hr·(s − w) + aw·(a − w) = loss.
  const airNeeds = physics.airLossWk * (airC - outdoorC) - half + (hc + aw) * airC
  const wallGets = wallLossWk * outdoorC + neighbourWk * neighbourC + half + aw * airC
  const wallSum = hr + aw + wallLossWk + neighbourWk
  const wallC = (wallGets * hc + hr * airNeeds) / (wallSum * hc + hr * aw)
  const surfaceC = (airNeeds - aw * wallC) / hc
  const up = hc * (surfaceC - airC) + hr * (surfaceC - wallC)
  const pipeC = surfaceC + up * physics.pipeToSurfaceR
  const needsWm2 = up + downWk * (pipeC - GROUND_C)
  const loopWk = heat.kind === 'water' ? waterWk(heat.pipeWk, heat.flow) : null
  return { needsWm2, wallC, pipeC, supplyC: loopWk === null ? null : pipeC + needsWm2 / loopWk }
}

const meanOf = (values: number[]): number =>
  values.length === 0 ? 20 : values.reduce((sum, value) => sum + value, 0) / values.length
