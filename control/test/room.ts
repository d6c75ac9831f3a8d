import type { FloorType } from '@hypocaust/domain'
import { type RoomControl, type RoomSettings, type StepInput, type StepResult, stepRoom } from '../src/index.ts'

export const WINTER_MS = Date.UTC(2026, 0, 12)
export const HOUR_MS = 3_600_000

export const settings = (changes: Partial<RoomSettings> = {}): RoomSettings => ({
  targetC: 21,
  bandK: 0.5,
  strategy: 'hold',
  programme: null,
  override: null,
  away: null,
  presetMode: 'none',
  steering: { kind: 'automatic' },
  maxFloorC: 29,
  frostProtection: true,
  timeZone: 'Europe/Berlin',
  ...changes,
})

export const input = (changes: Partial<StepInput> = {}): StepInput => ({
  nowMs: WINTER_MS,
  floorType: 'screed',
  location: { lat: 52.5, lng: 13.4 },
  settings: settings(),
  air: { kind: 'fresh', airC: 20.5, ageS: 10 },
  floorProbeC: null,
  weather: { outdoorC: 0, cloudPct: 80, windMs: 3, solarWm2: 0 },
  forecast: null,
  appliedPower: null,
  otherRooms: [],
  ...changes,
})

/** A room that stays at one temperature and reports it every minute. */
export function hold(
  hours: number,
  changes: (nowMs: number) => Partial<StepInput>,
  from: RoomControl | null = null,
  startMs = WINTER_MS,
): StepResult {
  let result = stepRoom(from, input({ nowMs: startMs, ...changes(startMs) }))
  for (let nowMs = startMs + 60_000; nowMs <= startMs + hours * HOUR_MS; nowMs += 60_000)
    result = stepRoom(result.state, input({ nowMs, ...changes(nowMs) }))
  return result
}

export const EVERY_FLOOR: FloorType[] = ['screed', 'dry', 'timber', 'slab', 'electric']
