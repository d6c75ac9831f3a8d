import { HOUR_MS } from '@hypocaust/domain'
import type { Contestant } from './contestants.ts'
import { type House, STEP_S, stepHouseRoom, TARGET_C, trueDewC } from './house.ts'

const DAYS = 7
/** Before they count, for the moisture of the house and for what is learned of it. */
const DAYS_BEFORE = 2
const DECIDE_EVERY_MS = 300_000
const BAND_K = 0.5

export type Score = {
  /** Minutes in which a floor, or water in an open loop, was less than 1 K above the true dew point of its room. */
  dampMinutes: number
  wetWaterMinutes: number
  /** Kelvin-hours above and below the band, the mean of the rooms. */
  warmKh: number
  coldKh: number
  /** Heat taken out, kWh/m², and the electricity for it. */
  coolKwh: number
  electricKwh: number
}

/** A chiller at about a third of what Carnot allows, with 6 K on either side. */
const efficiency = (waterC: number, outdoorC: number): number =>
  Math.min(8, (0.35 * (waterC - 6 + 273)) / Math.max(6, outdoorC + 6 - (waterC - 6)))

export function weekOf(house: House, contestant: Contestant, outdoorC: (atMs: number) => number): Score {
  const score = { dampMinutes: 0, wetWaterMinutes: 0, warmKh: 0, coldKh: 0, coolKwh: 0, electricKwh: 0 }
  const count = house.rooms.length
  let decided = { powers: house.rooms.map(() => 0), waterC: 24 }
  const endMs = house.startMs + DAYS * 24 * HOUR_MS
  for (let nowMs = house.startMs - DAYS_BEFORE * 24 * HOUR_MS; nowMs < endMs; nowMs += STEP_S * 1000) {
    if ((nowMs - house.startMs) % DECIDE_EVERY_MS === 0) decided = contestant.decide(nowMs)
    for (const [i, room] of house.rooms.entries()) {
      const power = decided.powers[i] as number
      const coolWh = stepHouseRoom(house, room, power, decided.waterC, nowMs)
      if (nowMs < house.startMs) continue
      const limitC = trueDewC(room) + 1
      if (room.state.surfaceC < limitC) score.dampMinutes += 1
      if (power > 0 && decided.waterC < limitC) score.wetWaterMinutes += 1
      const feltC = 0.7 * room.state.airC + 0.3 * room.state.wallC
      score.warmKh += (Math.max(0, feltC - TARGET_C - BAND_K) * STEP_S) / 3600 / count
      score.coldKh += (Math.max(0, TARGET_C - BAND_K - feltC) * (power > 0 ? 1 : 0) * STEP_S) / 3600 / count
      score.coolKwh += coolWh / 1000 / count
      score.electricKwh += coolWh / 1000 / count / efficiency(decided.waterC, outdoorC(nowMs))
    }
  }
  return score
}
