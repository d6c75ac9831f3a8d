import type { FloorType } from '@hypocaust/domain'
import { dewPointC, HOUR_MS } from '@hypocaust/domain'
import {
  type Climate,
  type Moisture,
  outdoorHumidityPct,
  perturbed,
  type RoomPhysics,
  type RoomState,
  roomPhysics,
  saturatedGramsPerM3,
  seededRandom,
  settledMoisture,
  settledState,
  stepMoisture,
  stepRoomState,
  sunPosition,
  verticalWm2,
  weatherAt,
} from '@hypocaust/simulator'

export const PLACE = { latDeg: 48, lngDeg: 11 }
export const STEP_S = 60
export const TARGET_C = 25
const FLOORS: FloorType[] = ['screed', 'dry', 'timber', 'slab']
const SENSOR_LAG_S = 600
const AIR_CHANGES = 0.4
/** Of what the simulator's climate has, which is a damp one: a dry summer, and a front of wet air. */
const HUMIDITY = { dry: 0.68, wet: 0.92 }

export type Sensor = { airC: number; humidityPct: number; atMs: number }

export type Room = {
  floorType: FloorType
  physics: RoomPhysics
  state: RoomState
  moisture: Moisture
  /** What lags behind the air, and what the sensor adds to the true humidity. */
  lagging: { airC: number; pct: number }
  errorPct: number
  silentFromH: number
  sensor: Sensor | null
}

export type House = { climate: Climate; rooms: Room[]; seed: number; startMs: number; humidH: number | null }

/** The week is a hot one; in the humid one a front of wet air comes after three days. */
export function drawHouse(seed: number, scenario: 'summer' | 'humid-week' | 'changeover'): House {
  const random = seededRandom(41_000 + seed)
  const meanC = { summer: 24, 'humid-week': 23, changeover: 19 }[scenario]
  const rooms = FLOORS.map((floorType): Room => {
    const physics = perturbed(roomPhysics(floorType, 90 + 180 * random.uniform()), 0.3, random)
    const pct = 45 + 10 * random.uniform()
    return {
      ...{ floorType, physics, state: settledState(TARGET_C - 1), moisture: settledMoisture(pct, TARGET_C) },
      lagging: { airC: TARGET_C, pct },
      errorPct: random.uniform() < 0.5 ? -5 : 5,
      silentFromH: 24 + 120 * random.uniform(),
      sensor: null,
    }
  })
  const climate = { seed, place: PLACE, meanC, seasonSwingK: 0, clearness: 0.4 }
  return { climate, rooms, seed, startMs: Date.UTC(2026, 6, 6), humidH: scenario === 'humid-week' ? 72 : null }
}

export function outdoorsAt({ climate, startMs, humidH }: House, atMs: number) {
  const weather = weatherAt(climate, atMs)
  const isHumid = humidH !== null && atMs >= startMs + humidH * HOUR_MS
  return {
    ...weather,
    humidityPct: Math.min(98, outdoorHumidityPct(climate, atMs) * HUMIDITY[isHumid ? 'wet' : 'dry']),
  }
}

export const trueDewC = ({ state, moisture }: Room): number => dewPointC(state.airC, pctOf(moisture, state.airC))

const pctOf = ({ airGramsPerM3 }: Moisture, airC: number): number =>
  Math.min(100, (100 * airGramsPerM3) / saturatedGramsPerM3(airC))

/** A minute of a room with its loop open for a share; returns the coolness taken, Wh/m². */
export function stepHouseRoom(house: House, room: Room, position: number, waterC: number, nowMs: number): number {
  const { state, physics, moisture, lagging } = room
  const outdoors = outdoorsAt(house, nowMs)
  const hour = new Date(nowMs).getUTCHours()
  const isHome = hour >= 16 || hour < 6
  const solarGainWm2 = physics.solarShare * verticalWm2(sunPosition(nowMs, PLACE), outdoors.solarWm2, physics.facadeDeg)
  const around = { outdoorC: outdoors.outdoorC, windMs: outdoors.windMs, solarGainWm2, airChange: 1 }
  const boundary = { ...around, internalWm2: isHome ? 5 : 2, neighbourC: TARGET_C, supply: 'running' as const }
  const heatWh = stepRoomState(state, physics, { ...boundary, waterC, cools: true }, position, STEP_S)
  const source = isHome ? 1.2 : 0.4
  const air = { airC: state.airC, outdoorC: outdoors.outdoorC, outdoorPct: outdoors.humidityPct }
  stepMoisture(moisture, { ...air, airChanges: AIR_CHANGES, sourceGramsPerM3h: source }, STEP_S / 3600)
  const share = 1 - Math.exp(-STEP_S / SENSOR_LAG_S)
  lagging.airC += share * (state.airC - lagging.airC)
  lagging.pct += share * (pctOf(moisture, state.airC) - lagging.pct)
  report(house, room, nowMs)
  return -heatWh
}

/** Every five minutes, and three hours of silence in the week. */
function report({ startMs }: House, room: Room, nowMs: number): void {
  const hour = (nowMs - startMs) / HOUR_MS
  const isSilent = hour >= room.silentFromH && hour < room.silentFromH + 3
  if (isSilent || nowMs % 300_000 >= STEP_S * 1000) return
  const { airC, pct } = room.lagging
  const humidityPct = Math.min(100, Math.max(1, pct + room.errorPct))
  room.sensor = { airC: Math.round(10 * airC) / 10, humidityPct: Math.round(humidityPct), atMs: nowMs }
}
