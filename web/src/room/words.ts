import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { BATTERY_LOW_PCT, MINUTE_MS, READING_STALE_AFTER_MS, steeringOf } from '@hypocaust/domain/facts'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

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

/** What the floor is doing, in a word or two. */
export function doing(room: AppRoom, t: Translate, format: Formats): string {
  const power = format.percent(room.power)
  switch (steeringOf(room.manual_power).kind) {
    case 'off':
      return room.power > 0 ? t('room.frost', { power }) : t('room.off')
    case 'manual':
      return t('room.manual', { power })
    case 'automatic':
      return room.power > 0 ? t('room.heating', { power }) : t('room.resting')
  }
}

export function warnings(room: AppRoom, now: number, t: Translate, format: Formats): string[] {
  const age = readingAge(room, now)
  const { sensor } = room
  return [
    ...(age.kind === 'never' ? [t('room.sensor_never')] : []),
    ...(age.kind === 'old' ? [t('room.sensor_age', { age: format.duration(age.ageS) })] : []),
    ...(sensor !== null && sensor.batt !== null && sensor.batt <= BATTERY_LOW_PCT
      ? [t('room.battery_low', { percent: format.percent(sensor.batt / 100) })]
      : []),
    ...(sensor !== null && sensor.rssi !== null && sensor.rssi <= WEAK_DBM ? [t('room.signal_weak')] : []),
  ]
}

type WarmingUp = { name: string; forMs: number | null }

/** At night a room is not below what it should be, unless below the night's own aim or on its way to the morning. */
function warmingUp(room: AppRoom, now: number): WarmingUp[] {
  const { power, current_temperature: airC, warming_for: comes } = room
  if (power === 0 || steeringOf(room.manual_power).kind !== 'automatic' || airC === null) return []
  if (comes !== null && Date.parse(comes) > now) return [{ name: room.name, forMs: Date.parse(comes) }]
  return airC < (room.aim ?? room.target_temperature) - WARMING_K ? [{ name: room.name, forMs: null }] : []
}

/** Is the house all right? In words, before any number. */
export function houseInWords(
  building: AppBuilding,
  alerts: number,
  now: number,
  {
    t,
    count,
    format,
  }: { t: Translate; count(key: 'house.alerts' | 'house.heating', n: number): string; format: Formats },
): { text: string; isWell: boolean } {
  const { timezone } = building
  if (building.available === null) return { text: t('house.never'), isWell: false }
  if (building.available === false) {
    const time = format.since(Date.parse(building.last_seen ?? ''), now, timezone)
    return { text: t('house.silent', { time }), isWell: false }
  }
  if (building.rooms.length === 0) return { text: t('house.no_rooms'), isWell: false }
  const first = alerts > 0 ? count('house.alerts', alerts) : t('house.well')
  return { text: `${first} ${activity(building, now, t, count, format)}`, isWell: alerts === 0 }
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
