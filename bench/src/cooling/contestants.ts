import {
  expectedDewC,
  type Hours,
  highestOf,
  type RoomControl,
  type StepInput,
  stepRoom,
  waterAbove,
} from '@hypocaust/control'
import { dewPointC, HOUR_MS, HUMIDITY_COUNTS_MS } from '@hypocaust/domain'
import { type House, outdoorsAt, PLACE, type Room, TARGET_C } from './house.ts'

/** The open share of each room and the water that is asked for; what is decided from sensors and the forecast alone. */
export type Decided = { powers: number[]; waterC: number }
export type Contestant = { name: string; decide: (nowMs: number) => Decided }

const MARGIN_K = 2

const sensedDewC = ({ sensor }: Room, nowMs: number): number | null =>
  sensor && nowMs - sensor.atMs <= HUMIDITY_COUNTS_MS ? dewPointC(sensor.airC, sensor.humidityPct) : null

/** One safe limit of the supply for all, as far as it is known now. */
function safeWaterC(rooms: Room[], nowMs: number): number {
  const dews = rooms.flatMap((room) => sensedDewC(room, nowMs) ?? [])
  return Math.max(16, ...dews.map((dewC) => dewC + MARGIN_K))
}

/** The water that we would ask for by the same sensors. */
function ourWaterC(rooms: Room[], nowMs: number): number {
  const dews = rooms.flatMap((room) => sensedDewC(room, nowMs) ?? [])
  return waterAbove({ startMs: nowMs, hourly: [Math.max(...dews)] }).hourly[0] as number
}

export const onOff = (house: House): Contestant => switched('on/off with dew guard', house, safeWaterC)

/** So that the law is compared apart from its distance to the dew point. */
export const onOffWithOurWater = (house: House): Contestant => switched('on/off with our water', house, ourWaterC)

/** Open above the target and shut below, with half a kelvin between. */
function switched(name: string, { rooms }: House, waterC: typeof safeWaterC): Contestant {
  const open = rooms.map(() => false)
  const decide = (nowMs: number): Decided => {
    const powers = rooms.map((room, i) => {
      const airC = room.sensor?.airC ?? TARGET_C
      if (airC > TARGET_C + 0.3) open[i] = true
      if (airC < TARGET_C - 0.3) open[i] = false
      return open[i] && sensedDewC(room, nowMs) !== null ? 1 : 0
    })
    return { powers, waterC: waterC(rooms, nowMs) }
  }
  return { name, decide }
}

/** Each loop throttled by how far its room is above the target. */
export function throttled({ rooms }: House): Contestant {
  const decide = (nowMs: number): Decided => ({
    powers: rooms.map((room) => {
      const aboveK = (room.sensor?.airC ?? TARGET_C) - TARGET_C
      return sensedDewC(room, nowMs) === null ? 0 : Math.min(1, Math.max(0, aboveK))
    }),
    waterC: safeWaterC(rooms, nowMs),
  })
  return { name: 'per-room throttle', decide }
}

/** The law, given what the service would give it. */
export function ours(house: House): Contestant {
  const states: (RoomControl | null)[] = house.rooms.map(() => null)
  const decide = (nowMs: number): Decided => {
    const ahead = Array.from({ length: 48 }, (_, h) => outdoorsAt(house, nowMs + h * HOUR_MS))
    const outdoors = ahead.map(({ outdoorC, humidityPct }) => ({ airC: outdoorC, humidityPct }))
    const dews = house.rooms.map((room): Hours | null =>
      room.sensor && sensedDewC(room, nowMs) !== null ? expectedDewC(room.sensor, outdoors, nowMs) : null,
    )
    const highest = highestOf(dews.filter((dew) => dew !== null))
    const water = highest && waterAbove(highest)
    const powers = house.rooms.map((room, i) => {
      const dewC = dews[i] ?? null
      const input = inputOf(room, { nowMs, ahead, startMs: nowMs, cooling: { targetC: TARGET_C, dewC, waterC: water } })
      const result = stepRoom(states[i] ?? null, input)
      states[i] = result.state
      return result.power
    })
    return { powers, waterC: water?.hourly[0] ?? 24 }
  }
  return { name: 'ours', decide }
}

interface Given {
  nowMs: number
  startMs: number
  ahead: ReturnType<typeof outdoorsAt>[]
  cooling: NonNullable<StepInput['cooling']>
}

function inputOf({ floorType, sensor }: Room, { nowMs, startMs, ahead, cooling }: Given): StepInput {
  const hourly = ahead.map(({ outdoorC, cloudPct, windMs, solarWm2 }) => ({ outdoorC, cloudPct, windMs, solarWm2 }))
  const ageS = sensor ? (nowMs - sensor.atMs) / 1000 : 0
  return {
    ...{ nowMs, floorType, location: { lat: PLACE.latDeg, lng: PLACE.lngDeg } },
    settings: {
      ...{ targetC: 21, bandK: 0.5, strategy: 'hold', programme: null, override: null, away: null },
      ...{ presetMode: 'none', steering: { kind: 'automatic' }, maxFloorC: 29, frostProtection: true, timeZone: 'UTC' },
    },
    air: sensor ? { kind: ageS <= 600 ? 'fresh' : 'stale', airC: sensor.airC, ageS } : { kind: 'missing' },
    floorProbeC: null,
    weather: hourly[0] ?? null,
    forecast: { startMs, hourly },
    appliedPower: null,
    cooling,
  }
}
