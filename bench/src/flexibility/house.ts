import { flexibilityOf, type LimitedRoom, limitPromise, takenKwhM2 } from '@hypocaust/control'
import { programmeOfNight, type ScheduleInputs } from '@hypocaust/domain'
import { HOUR_S } from '@hypocaust/domain/facts'
import { seededRandom } from '@hypocaust/simulator'
import { BuiltInPlant } from '../comfort/built-in-plant.ts'
import { oursFor } from '../comfort/compare.ts'
import { compareWithin, type LimitedResult, sharesFor, unannounced } from '../comfort/limited.ts'
import { type Cap, HOUSE_M2, limitOf, sourceOf, trueEfficiency } from '../comfort/limits.ts'
import { Ours } from '../comfort/ours.ts'
import type { PlantChoice } from '../comfort/plant.ts'
import { SCORED_WEEK, STEP_S, type View } from '../comfort/run.ts'
import { DAY_S, scenarioNamed } from '../comfort/scenarios.ts'
import { type World, worldOf } from '../comfort/world.ts'

/** What was said before, and what came of it: in kWh of electricity. */
export type Call = {
  direction: 'less' | 'more'
  promisedKwh: number
  /** Against the same house without the call. */
  deliveredKwh: number
  /** As the record counts it, by the openings of the loop; null where nothing is recorded. */
  recordedKwh: number | null
  /** Said to be outside the band in the two days after it. */
  promisedKh: number
}

export type FlexibleHouse = { choice: PlantChoice; limits: LimitedResult['controllers']; calls: Call[] }

const DAYS = 14
const HALF_HOURS = 40
const LESS_S = 2 * HOUR_S
const MORE_S = HOUR_S
const LONGEST_NOTICE_H = 12
const MOST_W = 1500

/** A winter house of which no figure is that of the law, with two hours of each day limited to 0 to 1.5 kW. */
export function flexibleHouse(choice: PlantChoice): FlexibleHouse {
  const scenario = scenarioNamed(choice.scenario)
  if (!scenario) throw new Error(`No such scenario: ${choice.scenario}`)
  const world = worldOf(choice, { ...scenario, isDrawnApart: true })
  const caps = drawnCaps(choice.seed)
  return { choice, limits: compareWithin(world, caps).controllers, calls: new Calls(world, caps).run() }
}

function drawnCaps(seed: number): Cap[] {
  const random = seededRandom(9300 + seed)
  return Array.from({ length: DAYS }, (_, day) => {
    const fromS = day * DAY_S + Math.floor(HALF_HOURS * random.uniform()) * (HOUR_S / 2)
    const noticeS = Math.round(LONGEST_NOTICE_H * random.uniform()) * HOUR_S
    const powerW = day % 2 === 0 ? 0 : MOST_W * random.uniform()
    return { announcedS: fromS - noticeS, fromS, untilS: fromS + LESS_S, powerW }
  })
}

/** The night of the scenario as the law is given one, so that promises are made of the very plans that are followed. */
const NIGHT: ScheduleInputs = {
  ...{ targetC: 21, override: null, away: null, steering: { kind: 'automatic' }, timeZone: 'UTC' },
  programme: programmeOfNight({ from: '22:30', to: '06:00', setback: 2 }),
}

const seen = (plant: BuiltInPlant): View['plant'] => ({
  weather: (nowS, horizonS) => plant.weather(nowS, horizonS),
  setpoint: (nowS) => plant.setpoint(nowS),
  scheduleInputs: () => NIGHT,
})

/** The scored week with each limit set as it begins; before it, the house is asked what it promises. */
class Calls {
  private readonly world: World
  private readonly caps: Cap[]
  private readonly plant: BuiltInPlant
  private readonly ours: Ours
  private readonly calls: Call[] = []
  /** Electricity of each step since the beginning. */
  private readonly takenWh: number[] = []
  private nowS = 0
  private sensorC: number | null = null

  constructor(world: World, caps: Cap[]) {
    this.world = world
    this.caps = unannounced(caps.filter(({ fromS }) => fromS >= SCORED_WEEK.fromS))
    this.plant = new BuiltInPlant(world)
    const options = oursFor(world.choice, true, 'hold')
    this.ours = new Ours({ ...options, limitsFor: sharesFor(world, this.caps) })
  }

  run(): Call[] {
    const settled: (() => void)[] = []
    while (this.nowS < SCORED_WEEK.toS) {
      const cap = this.caps.find(({ fromS }) => fromS === this.nowS)
      const ended = this.caps.findIndex(({ untilS }) => untilS + HOUR_S === this.nowS)
      if (cap) settled.push(this.callLess(cap))
      // Between two limits, far from both.
      if (this.caps.some(({ fromS }) => fromS + DAY_S / 2 === this.nowS)) this.callMore()
      if (ended >= 0) settled[ended]?.()
      this.step()
    }
    return this.calls
  }

  private step() {
    const { plant, ours, nowS } = this
    const open = ours.step({ nowS, sensorC: this.sensorC, plant: seen(plant) })
    const { sensorC, heatWhM2 } = plant.advance({ dtS: STEP_S, open })
    this.takenWh.push((heatWhM2 * HOUSE_M2) / trueEfficiency(this.world, nowS))
    this.sensorC = sensorC
    this.nowS += STEP_S
  }

  /** What a fork of the house takes in a time, in kWh. */
  private forkedKwh(forS: number, changes: Parameters<Ours['fork']>[0]): number {
    const plant = this.plant.fork()
    const ours = this.ours.fork(changes)
    let { sensorC } = this
    let wh = 0
    for (let nowS = this.nowS; nowS < this.nowS + forS; nowS += STEP_S) {
      const step = plant.advance({ dtS: STEP_S, open: ours.step({ nowS, sensorC, plant: seen(plant) }) })
      wh += (step.heatWhM2 * HOUSE_M2) / trueEfficiency(this.world, nowS)
      sensorC = step.sensorC
    }
    return wh / 1000
  }

  /** Returns what is to be done when the limit is over. */
  private callLess(cap: Cap): () => void {
    const limit = limitOf(cap, this.world.startMs)
    const scale = this.scale()
    const promise = limitPromise([this.room()], limit, sourceOf(this.world), this.nowMs)
    const withoutKwh = this.forkedKwh(LESS_S, {})
    return () => {
      if (!promise) return
      const takenKwh = this.kwhBetween(cap.fromS, cap.untilS)
      this.calls.push({
        direction: 'less',
        promisedKwh: scale * promise.promisedKwh,
        deliveredKwh: withoutKwh - takenKwh,
        recordedKwh: scale * (promise.plannedKwh - this.modelKwh(cap.fromS, cap.untilS)),
        promisedKh: promise.kelvinHours,
      })
    }
  }

  private callMore() {
    const offers = flexibilityOf([this.room()], sourceOf(this.world), this.nowMs)
    const offer = offers?.find(({ direction, durationS }) => direction === 'more' && durationS === MORE_S)
    if (!offer) return
    const sunny = [{ fromMs: this.nowMs, toMs: this.nowMs + 1000 * MORE_S }]
    const energy = { prices: null, source: null, sunny }
    const withKwh = this.forkedKwh(MORE_S, { energyAt: () => energy })
    this.calls.push({
      direction: 'more',
      promisedKwh: this.scale() * offer.kwh,
      deliveredKwh: withKwh - this.forkedKwh(MORE_S, {}),
      recordedKwh: null,
      promisedKh: offer.kelvinHours,
    })
  }

  private get nowMs(): number {
    return this.world.startMs + 1000 * this.nowS
  }

  private room(): LimitedRoom {
    const { state, input } = this.ours
    if (!input) throw new Error('nothing has been decided yet')
    return { id: 'room', areaM2: HOUSE_M2, state, input: { ...input, nowMs: this.nowMs } }
  }

  /** As a meter has counted the last week. */
  private scale(): number {
    const fromS = this.nowS - 7 * DAY_S
    return this.kwhBetween(fromS, this.nowS) / this.modelKwh(fromS, this.nowS)
  }

  private kwhBetween(fromS: number, untilS: number): number {
    return this.takenWh.slice(fromS / STEP_S, untilS / STEP_S).reduce((sum, wh) => sum + wh, 0) / 1000
  }

  private modelKwh(fromS: number, untilS: number): number {
    const { state, history } = this.ours
    if (!state) return 0
    const ms = (s: number) => this.world.startMs + 1000 * s
    return HOUSE_M2 * takenKwhM2(state, history, sourceOf(this.world), ms(fromS), ms(untilS))
  }
}
