import { GRID_SHARES_EVERY_S, type GridLimit, gridShares, type StepInput } from '@hypocaust/control'
import { BuiltInPlant } from './built-in-plant.ts'
import { commonStart, oursFor } from './compare.ts'
import { type Cap, capAt, capsOf, HOUSE_M2, limitOf, mostHeatWm2, sourceOf, trueEfficiency } from './limits.ts'
import { Ours } from './ours.ts'
import { perfectHeat } from './perfect.ts'
import type { Plant, PlantChoice } from './plant.ts'
import { type Controller, run, SCORED_WEEK } from './run.ts'
import { PENALTY_PER_KH, type Score } from './score.ts'
import { createWorld, type World } from './world.ts'

export type LimitedJob = { choice: PlantChoice }
export type LimitedScore = {
  energyKwhM2: number
  kelvinHours: number
  j: number
  /** Electricity of the house in the hours with a limit: what the limits leave, what was taken, and what of it was over. */
  leftKwh: number
  takenKwh: number
  overKwh: number
}

export const LIMITED_NAMES = [
  'perfect foresight',
  'shares, announced',
  'shares, not announced',
  'lock',
  'no limit known',
] as const
export type LimitedName = (typeof LIMITED_NAMES)[number]
export type LimitedResult = { choice: PlantChoice; controllers: Record<LimitedName, LimitedScore> }

/** What two hours with a limit each day cost on one plant: with a share of what is left, and with a lock as before. */
export function compareLimited({ choice }: LimitedJob): LimitedResult {
  const world = createWorld(choice)
  return compareWithin(world, capsOf(world))
}

/** The same on a given house with given limits. */
export function compareWithin(world: World, caps: Cap[]): LimitedResult {
  const { choice } = world
  const start = commonStart(world)
  const options = oursFor(choice, true, 'hold')
  const runWith = (controller: Controller) => {
    const plant = new BuiltInPlant(world)
    const meter = new LimitMeter(world, caps)
    const metered: Plant = {
      advance: (step) => meter.read(plant.advance(step), step.dtS),
      weather: (nowS, horizonS) => plant.weather(nowS, horizonS),
      setpoint: (nowS, knownS) => plant.setpoint(nowS, knownS),
    }
    const reset = { atS: SCORED_WEEK.fromS, plant: () => plant.enter(start) }
    const { scores } = run(metered, controller, [SCORED_WEEK], { reset })
    return meter.scored(scores.get(SCORED_WEEK.name) as Score)
  }
  const lockAt = (nowS: number) => ({
    prices: null,
    source: null,
    grid: capAt(caps, nowS) ? ('locked' as const) : null,
  })
  const sharing = (announced: Cap[]) => new Ours({ ...options, limitsFor: sharesFor(world, announced) })
  return {
    choice,
    controllers: {
      'perfect foresight': perfectWithin(world, caps, start),
      'shares, announced': runWith(sharing(caps)),
      'shares, not announced': runWith(sharing(unannounced(caps))),
      lock: runWith(new Ours({ ...options, energyAt: lockAt })),
      'no limit known': runWith(new Ours(options)),
    },
  }
}

export const unannounced = (caps: Cap[]): Cap[] => caps.map((cap) => ({ ...cap, announcedS: cap.fromS }))

/** As the service does it: shares of the limits that are known, worked out anew every half hour. */
export function sharesFor(world: World, caps: Cap[]) {
  let madeS = Number.NEGATIVE_INFINITY
  let known: Cap[] = []
  let limits: GridLimit[] = []
  return (input: StepInput, state: Ours['state'], nowS: number): GridLimit[] => {
    const now = caps.filter(({ announcedS, untilS }) => announcedS <= nowS && untilS > nowS)
    const isSame = now.length === known.length && now.every((cap, i) => cap === known[i])
    if (isSame && nowS - madeS < GRID_SHARES_EVERY_S) return limits
    known = now
    madeS = nowS
    limits = now.flatMap((cap) => {
      const limit = limitOf(cap, world.startMs)
      const room = { id: 'room', areaM2: HOUSE_M2, state, input }
      const share = gridShares([room], limit, sourceOf(world), input.nowMs)?.room
      return share === undefined ? [] : [{ fromMs: limit.fromMs, untilMs: limit.untilMs, share }]
    })
    return limits
  }
}

function perfectWithin(world: World, caps: Cap[], start: Parameters<typeof perfectHeat>[1]): LimitedScore {
  const meter = new LimitMeter(world, caps)
  const { score } = perfectHeat(world, start, SCORED_WEEK, {
    costAt: () => 1,
    storedCost: 1,
    perKh: PENALTY_PER_KH,
    mostHeatAt: (nowS) => mostHeatWm2(world, caps, nowS),
    onHeat: (nowS, heatWhM2, dtS) => meter.add(nowS, heatWhM2, dtS),
  })
  return meter.scored(score)
}

/** Adds up the electricity of the house in the limited hours of the scored week, a quarter hour at a time. */
class LimitMeter {
  private readonly world: World
  private readonly caps: Cap[]
  private nowS = 0
  private leftWh = 0
  private takenWh = 0
  private overWh = 0
  private quarter = { leftWh: 0, takenWh: 0 }

  constructor(world: World, caps: Cap[]) {
    this.world = world
    this.caps = caps
  }

  read<Step extends { heatWhM2: number }>(step: Step, dtS: number): Step {
    this.add(this.nowS, step.heatWhM2, dtS)
    this.nowS += dtS
    return step
  }

  add(nowS: number, heatWhM2: number, dtS: number) {
    const cap = capAt(this.caps, nowS)
    if (!cap || nowS < SCORED_WEEK.fromS || nowS >= SCORED_WEEK.toS) return
    const { quarter } = this
    quarter.leftWh += (cap.powerW * dtS) / 3600
    quarter.takenWh += (heatWhM2 * HOUSE_M2) / trueEfficiency(this.world, nowS)
    if ((nowS + dtS) % QUARTER_S === 0) this.close()
  }

  private close() {
    const { leftWh, takenWh } = this.quarter
    this.leftWh += leftWh
    this.takenWh += takenWh
    this.overWh += Math.max(0, takenWh - leftWh)
    this.quarter = { leftWh: 0, takenWh: 0 }
  }

  scored({ energyKwhM2, lowKh, highKh, j }: Score): LimitedScore {
    return {
      energyKwhM2,
      kelvinHours: lowKh + highKh,
      j,
      leftKwh: this.leftWh / 1000,
      takenKwh: this.takenWh / 1000,
      overKwh: this.overWh / 1000,
    }
  }
}

const QUARTER_S = 900
