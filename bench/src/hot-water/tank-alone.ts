import { copOf, type HotWaterState, hotWaterOrder, PRIOR_QUALITY, stepHotWater } from '@hypocaust/control'
import { DAY_S } from '@hypocaust/domain'
import { type Climate, VirtualTank, weatherAt } from '@hypocaust/simulator'
import { dayAhead } from '../comfort/prices.ts'
import { ABOVE_TANK_K, KWH_PER_L_K, SOURCE, TANK, TAP_C, tankSettings } from './tank.ts'

/** Ten days of a tank that no floor shares its source with, after four to learn. */
export type TankScore = { cost: number; kwh: number; minutesBelowTap: number; startsADay: number }

const STEP_S = 60
const PLANNED_EVERY_S = 300
const LEARNING_DAYS = 4
const SCORED_DAYS = 10

export function runTank(seed: number, startC: number, isPlanned: boolean, startMs: number): TankScore {
  const tank = new VirtualTank({ seed, ...TANK, startC })
  const market = dayAhead(seed, startMs)
  const climate: Climate = { seed, place: { latDeg: 51, lngDeg: 7 }, meanC: 3, seasonSwingK: 0, clearness: 0.3 }
  const outdoorAt = (atMs: number) => weatherAt(climate, atMs).outdoorC
  const score: TankScore = { cost: 0, kwh: 0, minutesBelowTap: 0, startsADay: 0 }
  let state: HotWaterState | null = null
  let scoredFromC = 0
  let wasBusy = false
  for (let nowS = 0; nowS < (LEARNING_DAYS + SCORED_DAYS) * DAY_S; nowS += STEP_S) {
    const nowMs = startMs + nowS * 1000
    if (isPlanned && nowS % PLANNED_EVERY_S === 0) {
      state = stepHotWater(state, {
        ...{ nowMs, settings: tankSettings, outdoorAt, rooms: () => [] },
        seen: { tankC: Math.round(2 * tank.tankC) / 2, isBusy: tank.isBusy },
        can: { charge: true, disinfect: true },
        energy: { prices: market.pricesAt(nowS), source: SOURCE },
      })
      tank.order(hotWaterOrder(state))
    }
    const isAlreadyBusy = tank.isBusy
    const kwh = tank.advance(nowMs, STEP_S)
    const isBusy = tank.isBusy || isAlreadyBusy
    const begins = isBusy && !wasBusy
    wasBusy = isBusy
    if (nowS < LEARNING_DAYS * DAY_S) {
      scoredFromC = tank.tankC
      continue
    }
    score.kwh += kwh
    score.cost += (market.priceAt(nowS) * kwh) / copOf(PRIOR_QUALITY, outdoorAt(nowMs), tank.tankC + ABOVE_TANK_K)
    score.minutesBelowTap += tank.tankC < TAP_C ? STEP_S / 60 : 0
    score.startsADay += begins ? 1 / SCORED_DAYS : 0
  }
  const leftKwh = (tank.tankC - scoredFromC) * TANK.volumeL * KWH_PER_L_K
  return { ...score, cost: score.cost - leftKwh * (score.cost / score.kwh) }
}
