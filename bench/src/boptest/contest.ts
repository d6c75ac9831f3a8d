import type { Strategy } from '@hypocaust/control'
import { Ours } from '../comfort/ours.ts'
import { AS_SHIPPED, createPeer, type PeerName } from '../comfort/peers.ts'
import { type Controller, STEP_S } from '../comfort/run.ts'
import { DAY_S } from '../comfort/scenarios.ts'
import { Baseline } from './baseline.ts'
import { BoptestHouse, type HouseStep } from './house.ts'
import { KpiSum, type Kpis } from './kpi.ts'
import { BoptestPlant, LOCATION, nearLowerLimit, wholeRange } from './plant.ts'
import type { Period, Reference, Trajectory, WeatherFile } from './reference.ts'

/** First day of the two weeks that are scored; the week before is the baseline's. */
export const FIRST_DAY: Record<Period, number> = { peak: 16, typical: 108 }
const WARM_UP_DAYS = 7
const SCORED_DAYS = 14

export type Contestant = Kpis & { name: string; openingsPerDay: number; alarms: number }
/** Root mean square and mean of our house minus the original. */
export type Validation = { rmseK: number; biasK: number; supplyRmseK: number; compressorRmseW: number; points: number }

const PEER_NAMES: PeerName[] = ['hysteresis', 'tpi-30min', 'smartpi', 'ha-smart']

/** Our house from the beginning of a reference trajectory on, at its points: under our copy of the baseline, or driven
 * by the speed the original had. */
export function validate(weather: WeatherFile, trajectory: Trajectory, by: 'baseline' | 'recording'): Validation {
  const house = new BoptestHouse(weather, trajectory[0]?.yearS ?? 0)
  const baseline = new Baseline()
  let speed = baseline.step(house.yearS, 20, STEP_S)
  const errors = { zone: [] as number[], supply: [] as number[], compressor: [] as number[] }
  for (const point of trajectory) {
    let step: HouseStep | null = null
    while (house.yearS < point.yearS) {
      step = house.advance({ kind: 'speed', speed: by === 'baseline' ? speed : point.signal }, STEP_S)
      speed = baseline.step(house.yearS, step.operativeC, STEP_S)
    }
    if (!step) continue
    errors.zone.push(step.operativeC - point.zoneC)
    errors.compressor.push(step.compressorW - point.heatPumpW)
    if (point.signal > 0 && step.speed > 0) errors.supply.push(step.supplyC - point.supplyC)
  }
  return {
    rmseK: rootMeanSquare(errors.zone),
    biasK: mean(errors.zone),
    supplyRmseK: rootMeanSquare(errors.supply),
    compressorRmseW: rootMeanSquare(errors.compressor),
    points: errors.zone.length,
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const rootMeanSquare = (values: number[]) => Math.sqrt(mean(values.map((value) => value * value)))

/** The baseline and all that open and close, each from the same house after a week of the baseline. */
export function contest({ weather }: Reference, period: Period): Contestant[] {
  return [
    runBaseline(weather, period),
    runOurs(weather, period, 'hypocaust', 'hold'),
    runOurs(weather, period, 'hypocaust-saving', 'saving'),
    ...PEER_NAMES.map((name) => {
      const plant = new BoptestPlant(warmedUp(weather, period).house, weather)
      return runValve(plant, createPeer(name, 'screed', AS_SHIPPED), period, name)
    }),
  ]
}

function warmedUp(weather: WeatherFile, period: Period): { house: BoptestHouse; baseline: Baseline; speed: number } {
  const house = new BoptestHouse(weather, (FIRST_DAY[period] - WARM_UP_DAYS) * DAY_S)
  const baseline = new Baseline()
  let speed = baseline.step(house.yearS, 20, STEP_S)
  while (house.yearS < FIRST_DAY[period] * DAY_S) {
    const { operativeC } = house.advance({ kind: 'speed', speed }, STEP_S)
    speed = baseline.step(house.yearS, operativeC, STEP_S)
  }
  return { house, baseline, speed }
}

const dayOf = (nowS: number) => Math.floor(nowS / DAY_S) + 1

function runBaseline(weather: WeatherFile, period: Period): Contestant {
  const { house, baseline, speed: first } = warmedUp(weather, period)
  const sum = new KpiSum()
  let [speed, openings] = [first, 0]
  for (let nowS = 0; nowS < SCORED_DAYS * DAY_S; nowS += STEP_S) {
    const { yearS } = house
    const step = house.advance({ kind: 'speed', speed }, STEP_S)
    sum.add(dayOf(nowS), yearS, step, STEP_S)
    const next = baseline.step(house.yearS, step.operativeC, STEP_S)
    openings += next > 0 && speed === 0 ? 1 : 0
    speed = next
  }
  return { name: 'baseline', ...sum.kpis(), openingsPerDay: openings / SCORED_DAYS, alarms: 0 }
}

function runOurs(weather: WeatherFile, period: Period, name: string, strategy: Strategy): Contestant {
  const bandOf = strategy === 'saving' ? wholeRange : nearLowerLimit
  const plant = new BoptestPlant(warmedUp(weather, period).house, weather, bandOf)
  const ours = new Ours({ strategy, floorType: 'screed', startMs: plant.startMs, location: LOCATION })
  let [alarms, was] = [0, false]
  const watched: Controller = {
    step(view) {
      const open = ours.step(view)
      const isOff = ours.decision?.notices.includes('boiler-off') ?? false
      alarms += isOff && !was ? 1 : 0
      was = isOff
      return open
    },
  }
  const result = runValve(plant, watched, period, name)
  return { ...result, alarms }
}

function runValve(plant: BoptestPlant, controller: Controller, period: Period, name: string): Contestant {
  const sum = new KpiSum()
  let sensorC: number | null = null
  let [openings, wasOpen] = [0, 0]
  for (let nowS = 0; nowS < SCORED_DAYS * DAY_S; nowS += STEP_S) {
    const open = controller.step({ nowS, sensorC, plant })
    sensorC = plant.advance({ dtS: STEP_S, open }).sensorC
    if (plant.last) sum.add(dayOf(nowS), FIRST_DAY[period] * DAY_S + nowS, plant.last, STEP_S)
    openings += open === 1 && wasOpen === 0 ? 1 : 0
    wasOpen = open
  }
  return { name, ...sum.kpis(), openingsPerDay: openings / SCORED_DAYS, alarms: 0 }
}
