import {
  airFrom,
  FITTED_DAYS,
  fitRoom,
  predictAirC,
  type RoomControl,
  type RoomSettings,
  type Slot,
  stepRoom,
} from '@hypocaust/control'
import { type FloorType, MAX_FLOOR_C } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import type { House } from './house.ts'
import { HORIZONS } from './moment.ts'

/** The law as the service runs it, fed with a recorded house half hour by half hour. */
export class Ours {
  state: RoomControl | null = null
  private readonly floorType: FloorType
  private readonly location: House['location']
  private kept: Slot[] = []
  private reading: { airC: number; atMs: number } | null = null

  constructor(floorType: FloorType, location: House['location']) {
    this.floorType = floorType
    this.location = location
  }

  /** Returns whether the law now holds the heat source to be off. */
  see({ endMs, airC, power, outdoorC, windMs, solarWm2 }: Slot): boolean {
    if (airC !== null) this.reading = { airC, atMs: endMs }
    const { state, slot, decision } = stepRoom(this.state, {
      nowMs: endMs,
      floorType: this.floorType,
      location: this.location,
      settings: SETTINGS,
      air: airFrom(this.reading, endMs),
      floorProbeC: null,
      weather: { outdoorC, windMs, solarWm2, cloudPct: 0 },
      forecast: null,
      appliedPower: power,
    })
    this.state = state
    if (slot) this.kept.push(slot)
    return decision.notices.includes('boiler-off')
  }

  fit(nowMs: number) {
    this.kept = this.kept.filter((slot) => slot.endMs >= nowMs - FITTED_DAYS * DAY_MS)
    if (this.state) this.state = fitRoom(this.state, this.kept)
  }

  predict(ahead: Slot[]): number[] {
    const airC = this.state ? predictAirC(this.state, ahead) : []
    return HORIZONS.map((horizon) => airC[horizon - 1] ?? Number.NaN)
  }
}

/** What the law would do is of no interest here: the recorded house was heated by another. */
const SETTINGS: RoomSettings = {
  targetC: 21,
  bandK: 0.5,
  strategy: 'hold',
  programme: null,
  override: null,
  away: null,
  presetMode: 'none',
  steering: { kind: 'off' },
  maxFloorC: MAX_FLOOR_C,
  frostProtection: false,
  timeZone: 'UTC',
}
