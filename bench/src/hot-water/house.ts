import {
  copOf,
  type Energy,
  FITTED_DAYS,
  fitRoom,
  type History,
  type HotWaterState,
  hotWaterBusy,
  hotWaterOrder,
  PRIOR_QUALITY,
  type RoomControl,
  type StepInput,
  stepHotWater,
  stepRoom,
  windowOf,
} from '@hypocaust/control'
import { DAY_MS, DAY_S, HOUR_MS } from '@hypocaust/domain'
import { demoHouse, supplyC, VirtualHouse, type VirtualRoom, VirtualTank } from '@hypocaust/simulator'
import { dayAhead } from '../comfort/prices.ts'
import { HOUSE_BAND_K, HOUSE_NIGHT, HOUSE_TARGET_C, houseInput } from '../house-input.ts'
import { ABOVE_TANK_K, KWH_PER_L_K, LOWER_START_C, SOURCE, TANK, TAP_C, tankSettings } from './tank.ts'

/**
 * `thermostat`: the heat pump heats the tank when it is cold, and the rooms do not know of it. `foreseen`: the same, but the
 * rooms know at what hours that usually is. `planned`: hot water and floors go by one plan. `planned-lower`: and the heat
 * pump begins by itself only a little above what is needed at the tap.
 */
export const HOT_WATER = ['thermostat', 'foreseen', 'planned', 'planned-lower'] as const
export type HotWater = (typeof HOT_WATER)[number]

export type HotWaterScore = {
  /** Of the scored week. */
  floorCost: number
  tankCost: number
  tankKwh: number
  lowKh: number
  highKh: number
  minutesBelowTap: number
  startsADay: number
}

const STEP_S = 60
const LAW_EVERY_S = 300
const FIT_HOUR = 3
const FORECAST_HOURS = 54
/** Rooms are fitted in the nights of these days alone: what is compared is the hot water. */
const LEARNING_DAYS = 3
const SCORED_DAYS = 7
/** Of each room. */
const AREA_M2 = 20

type Room = {
  plan: VirtualRoom
  state: RoomControl | null
  history: History
  reading: { airC: number; atMs: number } | null
  power: number
  openS: number
  heatWhM2: number
  input: StepInput | null
}

/** A winter week of the virtual house and its household, with one heat pump for floors and tank, after three days to learn. */
export function runHouse(hotWater: HotWater, seed: number, startMs: number): HotWaterScore {
  return new Run(hotWater, seed, startMs).run()
}

class Run {
  readonly #hotWater: HotWater
  readonly #house: VirtualHouse
  readonly #tank: VirtualTank
  readonly #rooms: Room[]
  readonly #market: ReturnType<typeof dayAhead>
  readonly #startMs: number
  readonly #score: HotWaterScore = {
    ...{ floorCost: 0, tankCost: 0, tankKwh: 0, lowKh: 0, highKh: 0, minutesBelowTap: 0, startsADay: 0 },
  }
  #state: HotWaterState | null = null
  #energy: Energy | null = null
  #scoredFromC = 0
  #wasBusy = false

  constructor(hotWater: HotWater, seed: number, startMs: number) {
    this.#hotWater = hotWater
    this.#startMs = startMs
    this.#house = new VirtualHouse(demoHouse({ seed, startMs }))
    this.#tank = new VirtualTank({ seed, ...TANK, ...(hotWater === 'planned-lower' && { startC: LOWER_START_C }) })
    this.#market = dayAhead(seed, startMs)
    this.#rooms = this.#house.plan.rooms
      .filter(({ floorType }) => floorType !== 'electric')
      .map((plan) => {
        const nothing = { state: null, history: [], reading: null, input: null }
        return { plan, ...nothing, power: 0, openS: 0, heatWhM2: 0 }
      })
  }

  run(): HotWaterScore {
    const house = this.#house
    const scoredFromMs = this.#startMs + LEARNING_DAYS * DAY_MS
    while (house.nowMs < scoredFromMs + SCORED_DAYS * DAY_MS) {
      if (house.nowMs === scoredFromMs) this.#scoredFromC = this.#tank.tankC
      this.#step(house.nowMs >= scoredFromMs)
    }
    return { ...this.#score, ...this.#settled() }
  }

  /** Heat that is left in the tank, or missing, counts at the mean price. */
  #settled(): Pick<HotWaterScore, 'tankCost' | 'startsADay'> {
    const { tankCost, tankKwh, startsADay } = this.#score
    const leftKwh = (this.#tank.tankC - this.#scoredFromC) * TANK.volumeL * KWH_PER_L_K
    return { tankCost: tankCost - leftKwh * (tankCost / tankKwh), startsADay: startsADay / SCORED_DAYS }
  }

  #step(isScored: boolean): void {
    const house = this.#house
    const { nowMs } = house
    const sinceS = (nowMs - this.#startMs) / 1000
    if (sinceS % LAW_EVERY_S === 0) this.#decide(sinceS)
    const { outdoorC } = house.weather()
    const tank = this.#tank
    const wasBusy = tank.isBusy
    const tankKwh = tank.advance(nowMs, STEP_S)
    const isBusy = tank.isBusy || wasBusy
    const begins = isBusy && !this.#wasBusy
    this.#wasBusy = isBusy
    const waterC = supplyC(outdoorC, 2)
    house.setWater(waterC)
    const open = new Map(this.#rooms.map((room) => [room.plan.channel, isBusy ? 0 : openAt(room, sinceS)]))
    for (const { sensorId, temperature } of house.advance(STEP_S, open).readings)
      for (const room of this.#rooms)
        if (room.plan.sensorId === sensorId) room.reading = { airC: temperature, atMs: house.nowMs }
    const price = this.#market.priceAt(sinceS)
    const floorKwh = this.#heatOfFloors(nowMs, isScored)
    if (!isScored) return
    this.#score.floorCost += (price * floorKwh) / copOf(PRIOR_QUALITY, outdoorC, waterC)
    this.#score.tankCost += (price * tankKwh) / copOf(PRIOR_QUALITY, outdoorC, tank.tankC + ABOVE_TANK_K)
    this.#score.tankKwh += tankKwh
    this.#score.minutesBelowTap += tank.tankC < TAP_C ? STEP_S / 60 : 0
    this.#score.startsADay += begins ? 1 : 0
  }

  get #isAsked(): boolean {
    return this.#hotWater === 'planned' || this.#hotWater === 'planned-lower'
  }

  #heatOfFloors(nowMs: number, isScored: boolean): number {
    const hour = (nowMs % DAY_MS) / HOUR_MS
    const isDay = hour >= 6 && hour < 22.5
    const targetC = isDay ? HOUSE_TARGET_C : HOUSE_TARGET_C - HOUSE_NIGHT.setback
    let kwh = 0
    for (const { channel, heatKwhM2, scoredC } of this.#house.truth()) {
      const room = this.#rooms.find(({ plan }) => plan.channel === channel)
      if (!room) continue
      kwh += AREA_M2 * (heatKwhM2 - room.heatWhM2 / 1000)
      room.heatWhM2 = 1000 * heatKwhM2
      if (!isScored) continue
      this.#score.lowKh += Math.max(0, targetC - HOUSE_BAND_K - scoredC) * (STEP_S / 3600 / this.#rooms.length)
      if (isDay)
        this.#score.highKh += Math.max(0, scoredC - targetC - HOUSE_BAND_K) * (STEP_S / 3600 / this.#rooms.length)
    }
    return kwh
  }

  #decide(sinceS: number): void {
    const { nowMs } = this.#house
    this.#energy = { prices: this.#market.pricesAt(sinceS), source: SOURCE }
    const forecast = this.#house.forecast(FORECAST_HOURS)
    if (this.#hotWater !== 'thermostat') this.#stepTank(nowMs, forecast)
    for (const room of this.#rooms) {
      room.input = this.#inputOf(room, forecast)
      const { power, state, slot } = stepRoom(room.state, room.input)
      room.power = power
      room.state = state
      if (slot) room.history = [...room.history.slice(-FITTED_DAYS * 48), slot]
      if (sinceS < LEARNING_DAYS * DAY_S && nowMs % DAY_MS === FIT_HOUR * HOUR_MS)
        room.state = fitRoom(state, room.history)
    }
  }

  #stepTank(nowMs: number, forecast: { outdoorC: number }[]): void {
    const isAsked = this.#isAsked
    this.#state = stepHotWater(this.#state, {
      nowMs,
      settings: tankSettings,
      seen: { tankC: Math.round(2 * this.#tank.tankC) / 2, isBusy: this.#tank.isBusy },
      can: { charge: isAsked, disinfect: isAsked },
      energy: this.#energy,
      outdoorAt: (atMs) => (forecast[Math.floor((atMs - nowMs) / HOUR_MS)] ?? this.#house.weather()).outdoorC,
      rooms: () => this.#rooms.flatMap(({ state, input }) => (input ? [{ areaM2: AREA_M2, state, input }] : [])),
    })
    this.#tank.order(hotWaterOrder(this.#state))
  }

  #inputOf(room: Room, forecast: ReturnType<VirtualHouse['forecast']>): StepInput {
    return {
      ...houseInput(room, this.#house, forecast),
      appliedPower: this.#tank.isBusy ? 0 : null,
      energy: this.#energy,
      supply: { measuredC: this.#house.waterC, setC: null },
      ...(this.#state && { busy: hotWaterBusy(this.#state, tankSettings, this.#isAsked) }),
    }
  }
}

/** Open at the beginning of each window, for its share. */
function openAt(room: Room, sinceS: number): 0 | 1 {
  const windowS = windowOf(room.state as RoomControl)
  if (sinceS % windowS === 0) room.openS = 0
  const open = room.openS < room.power * windowS - STEP_S / 2 ? 1 : 0
  room.openS += open * STEP_S
  return open
}
