import { copOf } from '../model/efficiency.ts'
import { needsWm2, type ScaledRoom } from './scaled-room.ts'

/** Hours of the average climate of EN 14825 from −10 to 15 °C. */
const FROM_C = -10
const HOURS = [
  1, 25, 23, 24, 27, 68, 91, 89, 165, 173, 240, 280, 320, 357, 356, 303, 330, 326, 348, 335, 315, 215, 169, 151, 105,
  74,
]
/** No heating from here on, in that climate. */
const WARM_C = 16

/**
 * Heat over electricity of a heating season: the average climate of EN 14825, stretched so that its coldest hour has the
 * outdoor temperature of the design. The water of each hour is as warm as `waterAt` says.
 */
export function seasonalCop(
  rooms: ScaledRoom[],
  quality: number,
  designOutdoorC: number,
  waterAt: (outdoorC: number) => number,
): number {
  const stretch = (WARM_C - designOutdoorC) / (WARM_C - FROM_C)
  let heat = 0
  let electricity = 0
  for (const [i, hours] of HOURS.entries()) {
    const outdoorC = WARM_C - stretch * (WARM_C - FROM_C - i)
    const needs = rooms.reduce((sum, room) => sum + room.areaM2 * needsWm2(room, outdoorC), 0)
    heat += hours * needs
    electricity += (hours * needs) / copOf(quality, outdoorC, waterAt(outdoorC))
  }
  return electricity > 0 ? heat / electricity : copOf(quality, WARM_C, waterAt(WARM_C))
}
