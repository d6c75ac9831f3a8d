import {
  airFrom,
  FITTED_DAYS,
  fitRoom,
  type RoomControl,
  type RoomSettings,
  type Slot,
  type StepInput,
  type Supply,
  stepRoom,
  windowOf,
} from '@hypocaust/control'
import { MAX_FLOOR_C, MINUTE_MS, programmeOfNight } from '@hypocaust/domain'
import type { VirtualRoom, Weather } from '@hypocaust/simulator'

const OSLO = { lat: 59.91, lng: 10.75 }
const NIGHT = programmeOfNight({ from: '22:30', to: '06:00', setback: 2 })
const SETTINGS: Record<string, { areaM2: number; targetC: number; night: boolean }> = {
  'Living room': { areaM2: 32, targetC: 21.5, night: true },
  Kitchen: { areaM2: 16, targetC: 21, night: true },
  Bedroom: { areaM2: 15, targetC: 18.5, night: false },
  Bathroom: { areaM2: 7, targetC: 22.5, night: false },
  'Child’s room': { areaM2: 14, targetC: 20.5, night: true },
  Cellar: { areaM2: 18, targetC: 17, night: false },
}

const settingsOf = ({ targetC, night }: { targetC: number; night: boolean }): RoomSettings => ({
  targetC,
  bandK: 0.5,
  strategy: 'hold',
  programme: night ? NIGHT : null,
  override: null,
  away: null,
  presetMode: 'none',
  steering: { kind: 'automatic' },
  maxFloorC: MAX_FLOOR_C,
  frostProtection: true,
  timeZone: 'Europe/Oslo',
})

/** One room under the law, as the service runs it. */
export class HeatedRoom {
  readonly room: VirtualRoom
  readonly settings: RoomSettings
  readonly areaM2: number
  readonly slots: Slot[] = []
  readonly truthKwhM2: number[] = []
  state: RoomControl | null = null
  reading: { airC: number; atMs: number } | null = null
  private power = 0
  private openMs = 0

  constructor(room: VirtualRoom, change: (settings: RoomSettings) => RoomSettings) {
    const own = SETTINGS[room.name]
    if (!own) throw new Error(`${room.name} has no settings`)
    this.room = room
    this.areaM2 = own.areaM2
    this.settings = change(settingsOf(own))
  }

  decide(nowMs: number, weather: Weather, forecast: StepInput['forecast'], supply: Supply | null = null) {
    const { floorType } = this.room
    const { state, power, slot } = stepRoom(this.state, {
      nowMs,
      floorType,
      location: OSLO,
      settings: this.settings,
      air: airFrom(this.reading, nowMs),
      floorProbeC: null,
      weather,
      forecast,
      appliedPower: null,
      supply,
    })
    this.state = state
    this.power = power
    if (slot) this.slots.push(slot)
  }

  /** Whether the loop is open in the coming minute. */
  move(nowMs: number): number {
    const windowMs = (this.state ? windowOf(this.state) : 0) * 1000
    if (nowMs % windowMs === 0) this.openMs = 0
    const open = this.openMs < this.power * windowMs - MINUTE_MS / 2 ? 1 : 0
    this.openMs += open * MINUTE_MS
    return open
  }

  fit() {
    if (this.state) this.state = fitRoom(this.state, this.slots.slice(-FITTED_DAYS * 48))
  }
}
