import type { AppAlert, AppBuilding, AppRoom } from '@hypocaust/domain'
import { BATTERY_LOW_PCT, MINUTE_MS, READING_STALE_AFTER_MS, type Steering, steeringOf } from '@hypocaust/domain/facts'
import { standingOf } from '../alerts/standing.ts'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'
import { isUnfinished } from './unfinished.ts'

const OLD_AFTER_MS = 10 * MINUTE_MS
const WEAK_DBM = -92
const WARMING_K = 0.5

/** How old a room's reading is, where that matters: under ten minutes it does not. */
export type ReadingAge = { kind: 'fresh' } | { kind: 'never' } | { kind: 'old'; ageS: number; isGrey: boolean }

export function readingAge({ sensor }: AppRoom, now: number): ReadingAge {
  if (sensor === null) return { kind: 'never' }
  const ageMs = now - Date.parse(sensor.timestamp)
  if (ageMs < OLD_AFTER_MS) return { kind: 'fresh' }
  return { kind: 'old', ageS: ageMs / 1000, isGrey: ageMs >= READING_STALE_AFTER_MS }
}

/** Who steers the floor now: the heating control, a person, or nobody; an override counts before what was set. */
export function modeOf({ override, manual_power }: AppRoom): Steering['kind'] {
  if (override === null) return steeringOf(manual_power).kind
  if (override.hvac_mode === 'off' || override.power === 0) return 'off'
  return override.power === undefined ? 'automatic' : 'manual'
}

/** What the floor is doing, in a word or two. */
export function doing(room: AppRoom, t: Translate, format: Formats): string {
  const power = format.percent(room.power)
  if (room.only_watch) return room.power > 0 ? t('room.watched', { power }) : t('room.only_watch')
  switch (modeOf(room)) {
    case 'off':
      return room.power > 0 ? t('room.frost', { power }) : t('room.off')
    case 'manual':
      return t('room.manual', { power: format.percent(room.override?.power ?? room.power) })
    case 'automatic':
      return room.power > 0 ? t('room.heating', { power }) : t('room.resting')
  }
}

/** What the heating control works towards: the target, or what programme, absence or override make of it. */
export const setpointOf = (room: AppRoom): number => room.schedule.setpoint

export interface Warning {
  text: string
  /** Red where there is an alert as well; a low battery, a weak signal or a late reading can wait. */
  isUrgent: boolean
  icon: 'warning' | 'clock' | 'battery' | 'signal'
}

export function warnings(room: AppRoom, now: number, t: Translate, format: Formats): Warning[] {
  const urgent = (text: string): Warning => ({ text, isUrgent: true, icon: 'warning' })
  const later = (icon: Warning['icon'], text: string): Warning => ({ text, isUrgent: false, icon })
  const age = readingAge(room, now)
  const aged = ({ ageS }: { ageS: number }) => t('room.sensor_age', { age: format.duration(ageS) })
  const { sensor } = room
  return [
    ...(age.kind === 'never' ? [urgent(t('room.sensor_never'))] : []),
    ...(age.kind === 'old' ? [age.isGrey ? urgent(aged(age)) : later('clock', aged(age))] : []),
    ...(sensor !== null && sensor.batt !== null && sensor.batt <= BATTERY_LOW_PCT
      ? [later('battery', t('room.battery_low', { percent: format.percent(sensor.batt / 100) }))]
      : []),
    ...(sensor !== null && sensor.rssi !== null && sensor.rssi <= WEAK_DBM
      ? [later('signal', t('room.signal_weak'))]
      : []),
  ]
}

type WarmingUp = { name: string; forMs: number | null }

/** At night a room is not below what it should be, unless below the night's own aim or on its way to the morning. */
function warmingUp(room: AppRoom, now: number): WarmingUp[] {
  const { power, current_temperature: airC, warming_for: comes } = room
  if (power === 0 || modeOf(room) !== 'automatic' || airC === null) return []
  if (comes !== null && Date.parse(comes) > now) return [{ name: room.name, forMs: Date.parse(comes) }]
  return airC < setpointOf(room) - WARMING_K ? [{ name: room.name, forMs: null }] : []
}

type Counted = 'house.alerts' | 'house.reminders' | 'house.heating'

/** Is the house all right? In words, before any number. */
export function houseInWords(
  building: AppBuilding,
  alerts: AppAlert[],
  now: number,
  { t, count, format }: { t: Translate; count(key: Counted, n: number): string; format: Formats },
): { text: string; isWell: boolean } {
  const { timezone } = building
  const { urgent, reminders } = standingOf(alerts, building.id)
  const isWell = urgent.length === 0
  if (building.available === null) return { text: t('house.never'), isWell }
  if (building.available === false) {
    const time = format.since(Date.parse(building.last_seen ?? ''), now, timezone)
    const heats = building.rooms.some(({ valves }) => valves.length > 0)
    return { text: [t('house.silent', { time }), ...(heats ? [t('house.on_its_own')] : [])].join(' '), isWell }
  }
  if (building.rooms.length === 0) return { text: t('house.no_rooms'), isWell }
  if (isWell && building.rooms.every(isUnfinished)) return { text: t('house.unfinished'), isWell }
  const sentences = [
    isWell ? t('house.well') : count('house.alerts', urgent.length),
    activity(building, now, t, count, format),
    ...(isWell && reminders.length > 0 ? [count('house.reminders', reminders.length)] : []),
  ]
  return { text: sentences.join(' '), isWell }
}

function activity(
  building: AppBuilding,
  now: number,
  t: Translate,
  count: (key: 'house.heating', n: number) => string,
  format: Formats,
): string {
  const { away, rooms } = building
  if (away) return t('house.away', { until: format.since(Date.parse(away.until), now, building.timezone) })
  const warming = rooms.flatMap((room) => warmingUp(room, now))
  const [first, second] = warming
  const time = first?.forMs ? format.clock(first.forMs, building.timezone) : ''
  if (first && second && warming.length === 2) {
    const names = { first: first.name, second: second.name }
    return time && second.forMs === first.forMs
      ? t('house.warming_two_for', { ...names, time })
      : t('house.warming_two', names)
  }
  if (first && warming.length === 1) {
    return time ? t('house.warming_one_for', { room: first.name, time }) : t('house.warming_one', { room: first.name })
  }
  const heating = rooms.filter(({ power }) => power > 0).length
  if (heating > 0) return count('house.heating', heating)
  return t('house.resting')
}
