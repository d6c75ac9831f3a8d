import {
  copOf,
  FITTED_DAYS,
  fitRoom,
  type History,
  PRIOR_QUALITY,
  type RoomControl,
  type StepInput,
  SUPPLY_EVERY_S,
  type SupplySetpoint,
  stepRoom,
  supplyFor,
  windowOf,
} from '@hypocaust/control'
import { DAY_MS, type FloorType, HOUR_MS } from '@hypocaust/domain'
import { demoHouse, supplyC, VirtualHouse, type VirtualRoom } from '@hypocaust/simulator'
import { HOUSE_BAND_K, HOUSE_NIGHT, HOUSE_TARGET_C, houseInput } from '../house-input.ts'

/**
 * What decides how warm the water is: a curve that an installer has set, shifted by so much, or the plans of the rooms,
 * with one water for all or with a mixer for the floors.
 */
export type Water = { kind: 'curve'; shiftK: number } | { kind: 'rooms' } | { kind: 'circuits' }

export type SupplyScore = {
  /** Weighted by heat. */
  meanSupplyC: number
  heatKwhM2: number
  electricityKwhM2: number
  /** A room, on average. */
  lowKh: number
  highKh: number
  /** Share of the time in which a loop is open. */
  openShare: number
  /** Of the hottest floor. */
  highestFloorC: number
}

/** The form knows no radiators: they are entered as a floor, at best as the one that comes nearest. */
export type Radiators = { rooms: readonly string[]; enteredAs: FloorType }

const STEP_S = 60
const LAW_EVERY_S = 300
const FIT_HOUR = 3
const FORECAST_HOURS = 54
const LIMITS = { leastC: 22, mostC: 45 }
/** Of a house in which some rooms have radiators. */
const RADIATOR_LIMITS = { leastC: 22, mostC: 55 }
const FLOORS = { ...LIMITS, id: 'floors' }

type Room = {
  plan: VirtualRoom
  state: RoomControl | null
  history: History
  reading: { airC: number; atMs: number } | null
  power: number
  openS: number
  heatWhM2: number
}

/** Two weeks of the virtual house with one heat pump for all its water loops; the second week counts. */
export function runHouse(water: Water, seed: number, startMs: number, radiators?: Radiators): SupplyScore {
  const plan = demoHouse({ seed, startMs })
  const house = new VirtualHouse({
    ...plan,
    rooms: plan.rooms.map((room) =>
      radiators?.rooms.includes(room.name) ? { ...room, isRadiator: true, floorType: radiators.enteredAs } : room,
    ),
  })
  const limits = radiators ? RADIATOR_LIMITS : LIMITS
  const rooms: Room[] = house.plan.rooms.map((plan) => ({
    plan,
    state: null,
    history: [],
    reading: null,
    power: 0,
    openS: 0,
    heatWhM2: 0,
  }))
  const scoredFromMs = startMs + 7 * DAY_MS
  const score = new Scorer(rooms.filter(isWater))
  let setpoint: SupplySetpoint | null = null
  while (house.nowMs < scoredFromMs + 7 * DAY_MS) {
    const { nowMs } = house
    const { outdoorC } = house.weather()
    const sinceS = (nowMs - startMs) / 1000
    const forecast = sinceS % LAW_EVERY_S === 0 ? house.forecast(FORECAST_HOURS) : []
    const waterOf = ({ plan }: Room) =>
      (plan.isRadiator ? undefined : setpoint?.circuits?.[FLOORS.id]?.setC) ?? setpoint?.setC ?? null
    const inputs = new Map(
      rooms.map((room) => {
        const supply = setpoint && { measuredC: null, setC: waterOf(room) }
        return [room, { ...houseInput(room, house, forecast), supply }]
      }),
    )
    if (sinceS % LAW_EVERY_S === 0) for (const room of rooms) stepLaw(room, inputs.get(room) as StepInput)
    if (water.kind !== 'curve' && sinceS % SUPPLY_EVERY_S === 0) {
      const supplied = rooms.filter(isWater).map((room) => ({
        id: room.plan.name,
        state: room.state,
        input: inputs.get(room) as StepInput,
        circuit: water.kind === 'circuits' && !room.plan.isRadiator ? FLOORS : null,
      }))
      setpoint = supplyFor(supplied, limits, setpoint, nowMs)
      for (const room of rooms) house.mix(room.plan.channel, waterOf(room) ?? setpoint.setC)
    }
    const waterC = water.kind === 'curve' ? supplyC(outdoorC, water.shiftK) : (setpoint?.setC ?? supplyC(outdoorC, 0))
    house.setWater(waterC)
    const open = new Map(rooms.map((room) => [room.plan.channel, openAt(room, sinceS)]))
    for (const { sensorId, temperature } of house.advance(STEP_S, open).readings)
      for (const room of rooms)
        if (room.plan.sensorId === sensorId) room.reading = { airC: temperature, atMs: house.nowMs }
    for (const { channel, heatKwhM2, scoredC, floorC } of house.truth()) {
      const room = rooms.find(({ plan }) => plan.channel === channel) as Room
      const heatWh = 1000 * heatKwhM2 - room.heatWhM2
      room.heatWhM2 = 1000 * heatKwhM2
      if (nowMs >= scoredFromMs && isWater(room))
        score.add({ heatWh, scoredC, floorC, isOpen: open.get(channel) === 1, waterC, outdoorC, nowMs })
    }
  }
  return score.result()
}

const isWater = ({ plan }: Room) => plan.floorType !== 'electric'

function stepLaw(room: Room, input: StepInput) {
  const { power, state, slot } = stepRoom(room.state, input)
  room.power = power
  room.state = state
  if (slot) room.history = [...room.history.slice(-FITTED_DAYS * 48), slot]
  if (input.nowMs % DAY_MS === FIT_HOUR * HOUR_MS) room.state = fitRoom(state, room.history)
}

/** Open at the beginning of each window, for its share. */
function openAt(room: Room, sinceS: number): 0 | 1 {
  const windowS = windowOf(room.state as RoomControl)
  if (sinceS % windowS === 0) room.openS = 0
  const open = room.openS < room.power * windowS - STEP_S / 2 ? 1 : 0
  room.openS += open * STEP_S
  return open
}

type Moment = {
  heatWh: number
  scoredC: number
  floorC: number
  isOpen: boolean
  waterC: number
  outdoorC: number
  nowMs: number
}

class Scorer {
  private readonly rooms: number
  private heatWh = 0
  private electricityWh = 0
  private waterWh = 0
  private low = 0
  private high = 0
  private open = 0
  private steps = 0
  private highestFloorC = 0

  constructor(rooms: Room[]) {
    this.rooms = rooms.length
  }

  add({ heatWh, scoredC, floorC, isOpen, waterC, outdoorC, nowMs }: Moment) {
    const hour = (nowMs % DAY_MS) / HOUR_MS
    const isDay = hour >= 6 && hour < 22.5
    const targetC = isDay ? HOUSE_TARGET_C : HOUSE_TARGET_C - HOUSE_NIGHT.setback
    this.heatWh += heatWh
    this.electricityWh += heatWh / copOf(PRIOR_QUALITY, outdoorC, waterC)
    this.waterWh += heatWh * waterC
    this.low += Math.max(0, targetC - HOUSE_BAND_K - scoredC) * (STEP_S / 3600)
    if (isDay) this.high += Math.max(0, scoredC - targetC - HOUSE_BAND_K) * (STEP_S / 3600)
    this.open += isOpen ? 1 : 0
    this.steps += 1
    this.highestFloorC = Math.max(this.highestFloorC, floorC)
  }

  result(): SupplyScore {
    return {
      meanSupplyC: this.waterWh / this.heatWh,
      heatKwhM2: this.heatWh / 1000 / this.rooms,
      electricityKwhM2: this.electricityWh / 1000 / this.rooms,
      lowKh: this.low / this.rooms,
      highKh: this.high / this.rooms,
      openShare: this.open / this.steps,
      highestFloorC: this.highestFloorC,
    }
  }
}
