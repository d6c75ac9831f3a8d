import type { Strategy } from '@hypocaust/control'
import type { RoomState } from '@hypocaust/simulator'
import { BuiltInPlant } from './built-in-plant.ts'
import { commonStart, configuredFloor, oursFor } from './compare.ts'
import { Ours } from './ours.ts'
import { AS_SHIPPED, createPeer } from './peers.ts'
import { perfectHeat } from './perfect.ts'
import type { Plant, PlantChoice } from './plant.ts'
import { isDearest, type Market, marketOf } from './prices.ts'
import { type Controller, run, SCORED_WEEK } from './run.ts'
import { PENALTY_PER_KH, type Score } from './score.ts'
import { createWorld, type World } from './world.ts'

export type PricedJob = { choice: PlantChoice }
export type PricedScore = {
  /** € a m² in the scored week, what is left in the house counted at the mean price. */
  cost: number
  energyKwhM2: number
  kelvinHours: number
  /** Cost with each kelvin-hour charged as perfect foresight charges it: cost at equal comfort. */
  atEqualComfort: number
}
export type PricedResult = { choice: PlantChoice; controllers: Record<PricedName, PricedScore> }

export const PRICED_NAMES = [
  'perfect',
  'saving with prices',
  'saving, flat plan',
  'comfort first with prices',
  'balanced with prices',
  'flat plan',
  'peer',
  'peer, 2 K lower in the most expensive hours',
] as const
export type PricedName = (typeof PRICED_NAMES)[number]

const PEER = 'tpi-30min'
const LOWERED_K = 2
const DEAREST_HOURS = 6

/** What heating costs on one plant where heat costs more at some hours: all enter the scored week in the same house. */
export function comparePriced({ choice }: PricedJob): PricedResult {
  const world = createWorld(choice)
  const market = marketOf(world)
  const start = commonStart(world)
  const perKh = PENALTY_PER_KH * dearestCost(market)
  const scored = ({ cost, score }: Costed): PricedScore => {
    const kelvinHours = score.lowKh + score.highKh
    return { cost, energyKwhM2: score.energyKwhM2, kelvinHours, atEqualComfort: cost + perKh * kelvinHours }
  }
  const runWith = (controller: Controller, lower?: Lower) => scored(costOf(world, market, start, controller, lower))
  const ours = (strategy: Strategy, isPriced: boolean) =>
    runWith(new Ours({ ...oursFor(choice, true, strategy), ...(isPriced && { energyAt: market.energyAt }) }))
  const peer = () => createPeer(PEER, configuredFloor(choice), AS_SHIPPED)
  return {
    choice,
    controllers: {
      perfect: scored(perfectCost(world, market, start, perKh)),
      'saving with prices': ours('saving', true),
      'saving, flat plan': ours('saving', false),
      'comfort first with prices': ours('comfort-first', true),
      'balanced with prices': ours('hold', true),
      'flat plan': ours('hold', false),
      peer: runWith(peer()),
      'peer, 2 K lower in the most expensive hours': runWith(peer(), (nowS) =>
        isDearest(market, nowS, DEAREST_HOURS) ? LOWERED_K : 0,
      ),
    },
  }
}

export type Costed = { cost: number; score: Score }
/** By how much a controller is given a lower setpoint; what is felt is scored against the plant's own. */
type Lower = (nowS: number) => number

export function costOf(world: World, market: Market, start: RoomState, controller: Controller, lower?: Lower): Costed {
  const plant = new BuiltInPlant(world)
  const meter = new Meter(market)
  const metered: Plant = {
    advance: (step) => meter.read(plant.advance(step), step.dtS),
    weather: (nowS, horizonS) => plant.weather(nowS, horizonS),
    setpoint: (nowS, knownS) => plant.setpoint(nowS, knownS),
  }
  const seen = lower ? { ...metered, setpoint: lowered(plant, lower) } : metered
  const asSeen: Controller = { step: (view) => controller.step({ ...view, plant: seen }) }
  const enter = () => {
    const storedWh = plant.enter(start)
    meter.begin(storedWh)
    return storedWh
  }
  const { scores } = run(metered, asSeen, [SCORED_WEEK], { reset: { atS: SCORED_WEEK.fromS, plant: enter } })
  return { cost: meter.cost(), score: scores.get(SCORED_WEEK.name) as Score }
}

const lowered = (plant: BuiltInPlant, lower: Lower) => (nowS: number, knownS?: number) => {
  const setpoint = plant.setpoint(nowS, knownS)
  return { ...setpoint, targetC: setpoint.targetC - lower(nowS) }
}

/** Adds up what heat costs in the scored week. */
class Meter {
  private readonly market: Market
  private nowS = 0
  private paid = 0
  private startWh = 0
  private storedWh = 0

  constructor(market: Market) {
    this.market = market
  }

  begin(storedWh: number) {
    this.startWh = storedWh
    this.paid = 0
  }

  read<Step extends { heatWhM2: number; storedWhM2: number }>(step: Step, dtS: number): Step {
    this.paid += (step.heatWhM2 / 1000) * this.market.costAt(this.nowS)
    this.storedWh = step.storedWhM2
    this.nowS += dtS
    return step
  }

  cost(): number {
    return this.paid - ((this.storedWh - this.startWh) / 1000) * meanCost(this.market)
  }
}

export function perfectCost(world: World, market: Market, start: RoomState, perKh: number): Costed {
  let paid = 0
  const { score, heatWhM2 } = perfectHeat(world, start, SCORED_WEEK, {
    costAt: market.costAt,
    storedCost: meanCost(market),
    perKh,
    onHeat: (nowS, wh) => {
      paid += (wh / 1000) * market.costAt(nowS)
    },
  })
  const storedWh = heatWhM2 - 1000 * score.energyKwhM2
  return { cost: paid - (storedWh / 1000) * meanCost(market), score }
}

const HOURS = Array.from(
  { length: (SCORED_WEEK.toS - SCORED_WEEK.fromS) / 3600 },
  (_, hour) => SCORED_WEEK.fromS + hour * 3600,
)
export const meanCost = ({ costAt }: Market) => HOURS.reduce((sum, nowS) => sum + costAt(nowS), 0) / HOURS.length
export const dearestCost = ({ costAt }: Market) => Math.max(...HOURS.map(costAt))
