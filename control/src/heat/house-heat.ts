/** What a room took in a span, as the models say; `spread` is one standard deviation of the logarithm. */
export type RoomShare = { heatKwh: number; spread: number }

/** A meter counts within a few percent, and pipes lose a little on the way. */
const METER_SPREAD = 0.03
/** Of the doubt about a room, the part that it shares with no other room: the water is the same for all. */
const OWN_PART = 0.8

/**
 * The heat of rooms scaled to what a meter counted for all of them. What is left is doubt about shares: a room that is most of
 * the house is known as well as the meter, whatever its model says.
 */
export function scaledToMeter(rooms: RoomShare[], meterKwh: number): RoomShare[] {
  const total = rooms.reduce((sum, { heatKwh }) => sum + heatKwh, 0)
  if (total <= 0) return rooms
  const variances = rooms.map(({ heatKwh, spread }) => ((heatKwh / total) * OWN_PART * spread) ** 2)
  const all = variances.reduce((sum, variance) => sum + variance, 0)
  return rooms.map(({ heatKwh, spread }, i) => {
    const others = all - (variances[i] as number)
    const own = ((1 - heatKwh / total) * OWN_PART * spread) ** 2
    return { heatKwh: (heatKwh * meterKwh) / total, spread: Math.hypot(METER_SPREAD, Math.sqrt(own + others)) }
  })
}

/** Of all rooms together. Errors add up where the water is the same and nothing measures it. */
export function spreadOfAll(rooms: RoomShare[], isMetered: boolean): number {
  const total = rooms.reduce((sum, { heatKwh }) => sum + heatKwh, 0)
  const errors = rooms.map(({ heatKwh, spread }) => heatKwh * spread)
  const together = isMetered ? Math.hypot(...errors) : errors.reduce((sum, error) => sum + error, 0)
  return total > 0 ? together / total : 0
}

/** Standard deviations to either side that hold nine of ten. */
export const NINE_OF_TEN = 1.65

/** Nine times out of ten the truth is within. */
export function likelyHeat({ heatKwh, spread }: RoomShare): { leastKwh: number; mostKwh: number } {
  const factor = Math.exp(NINE_OF_TEN * spread)
  return { leastKwh: heatKwh / factor, mostKwh: heatKwh * factor }
}
