import type { AppAlert, AppBuilding, AppRoom } from '@hypocaust/domain'
import {
  BATTERY_LOW_PCT,
  FROST,
  MINUTE_MS,
  READING_STALE_AFTER_MS,
  type Steering,
  steeringOf,
  underscored,
} from '@hypocaust/domain/facts'
import { standingOf } from '../alerts/standing.ts'
import type { Formats, Wording } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'
import { absenceInWords } from '../schedule/absence.ts'
import { measuredMs, readingsOf } from './sensors.ts'
import { isUnfinished } from './unfinished.ts'

const OLD_AFTER_MS = 10 * MINUTE_MS
const WEAK_DBM = -92
const WARMING_K = 0.5

/** How old a room's reading is, where that matters: under ten minutes it does not. */
type ReadingAge = { kind: 'fresh' } | { kind: 'never' } | { kind: 'old'; ageS: number; isGrey: boolean }

export function readingAge(room: AppRoom, now: number): ReadingAge {
  const atMs = measuredMs(room)
  if (atMs === null) return { kind: 'never' }
  const ageMs = now - atMs
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
  if (room.loops_held) return t(`room.${underscored(room.loops_held)}`, { power })
  if (room.only_watch) return room.power > 0 ? t('room.watched', { power }) : t('room.only_watch')
  switch (modeOf(room)) {
    case 'off':
      return room.power > 0 ? t('room.frost', { power }) : t('room.off')
    case 'manual':
      return t('room.manual', { power: format.percent(room.override?.power ?? room.power) })
    case 'automatic':
      if (room.cools) return room.power > 0 ? t('room.cooling', { power }) : t('room.not_cooling')
      return room.power > 0 ? t('room.heating', { power }) : t('room.resting')
  }
}

/** What the heating control works towards: the target, or what programme, absence or override make of it. */
export const setpointOf = (room: AppRoom): number => room.schedule.setpoint

export interface Warning {
  text: string
  /** Red where there is an alert as well; a low battery, a weak signal or a late reading can wait. */
  isUrgent: boolean
  icon: 'warning' | 'clock' | 'battery' | 'signal' | 'sun'
}

export function warnings(room: AppRoom, now: number, t: Translate, format: Formats): Warning[] {
  const urgent = (text: string): Warning => ({ text, isUrgent: true, icon: 'warning' })
  const later = (icon: Warning['icon'], text: string): Warning => ({ text, isUrgent: false, icon })
  const age = readingAge(room, now)
  const aged = ({ ageS }: { ageS: number }) => t('room.sensor_age', { age: format.duration(ageS) })
  const readings = readingsOf(room)
  const batteryPct = Math.min(...readings.flatMap(({ batt }) => batt ?? []))
  return [
    ...(age.kind === 'never' ? [urgent(t('room.sensor_never'))] : []),
    ...(age.kind === 'old' ? [age.isGrey ? urgent(aged(age)) : later('clock', aged(age))] : []),
    ...(batteryPct <= BATTERY_LOW_PCT
      ? [later('battery', t('room.battery_low', { percent: format.percent(batteryPct / 100) }))]
      : []),
    ...(readings.some(({ rssi }) => rssi !== null && rssi <= WEAK_DBM) ? [later('signal', t('room.signal_weak'))] : []),
  ]
}

type WarmingUp = { name: string; forMs: number | null }

/**
 * The floor may already heat for a later step than the next, or for the end of an absence that every report puts off: the
 * tile names neither, and here it is heat like any other.
 */
function warmsForMs({ warming_for: comes, schedule: { next } }: AppRoom): number | null {
  if (comes === null || next === null) return null
  const nextMs = Date.parse(next.at)
  return Math.abs(Date.parse(comes) - nextMs) <= MINUTE_MS ? nextMs : null
}

/** At night a room is not below what it should be, unless below the night's own aim or on its way to the morning. */
function warmingUp(room: AppRoom, now: number): WarmingUp[] {
  const { power, current_temperature: airC } = room
  if (power === 0 || room.cools || room.only_watch || room.loops_held || modeOf(room) !== 'automatic' || airC === null)
    return []
  const forMs = warmsForMs(room)
  if (forMs !== null && forMs > now) return [{ name: room.name, forMs }]
  return airC < setpointOf(room) - WARMING_K ? [{ name: room.name, forMs: null }] : []
}

/** Is the house all right? In words, before any number. */
export function houseInWords(
  building: AppBuilding,
  alerts: AppAlert[],
  now: number,
  words: Wording,
): { text: string; isWell: boolean } {
  const { t, format } = words
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
  const { isCalm, sentences } = activity(building, now, words)
  return {
    text: [
      ...(isWell ? (isCalm ? [t('house.well')] : []) : [t('house.alerts', { n: urgent.length })]),
      ...sentences,
      ...(isWell && reminders.length > 0 ? [t('house.reminders', { n: reminders.length })] : []),
    ].join(' '),
    isWell,
  }
}

/** What the house is doing; calm, where all of it is as usual. */
function activity(building: AppBuilding, now: number, words: Wording): { isCalm: boolean; sentences: string[] } {
  const { t } = words
  const { away, rooms, loop_run: run } = building
  if (run?.kind === 'loop-search')
    return { isCalm: false, sentences: [t('house.searching', { done: run.done, all: run.all })] }
  if (run?.kind === 'screed-heating') return { isCalm: true, sentences: [t('house.screed')] }
  if (rooms.every((room) => !room.only_watch && modeOf(room) === 'off'))
    return { isCalm: false, sentences: [t('house.all_off'), frost(building, words)] }
  const absence = absenceInWords(building, { ...words, now, timeZone: building.timezone })
  if (absence && !absence.isAhead && away?.room_ids === null)
    return { isCalm: true, sentences: [t('house.away', { until: absence.until })] }
  const sentences = [...heating(building, now, words), ...cooling(building, words)]
  return { isCalm: true, sentences: sentences.length > 0 ? sentences : [t('house.resting')] }
}

function frost({ rooms, frost_protection }: AppBuilding, { t, format }: Wording): string {
  const heated = rooms.filter(({ power }) => power > 0).length
  if (heated > 0) return t('house.frost_heats', { n: heated })
  return frost_protection ? t('house.frost_on', { degrees: format.degrees(FROST.belowC) }) : t('house.frost_off')
}

/** Every room that warms up is named or counted, and so is every other one that is heated. */
function heating({ rooms, timezone }: AppBuilding, now: number, { t, format }: Wording): string[] {
  const warming = rooms.flatMap((room) => warmingUp(room, now))
  const others = rooms.filter(({ power, cools }) => power > 0 && !cools).length - warming.length
  const more = others > 0 ? [t('house.others', { n: others })] : []
  const [first, second] = warming
  const isSame = warming.every(({ forMs }) => forMs === first?.forMs)
  const time = isSame && first?.forMs ? format.clock(first.forMs, timezone) : ''
  if (first && second && warming.length === 2) {
    const names = { first: first.name, second: second.name }
    return [time ? t('house.warming_two_for', { ...names, time }) : t('house.warming_two', names), ...more]
  }
  if (first && !second) {
    const name = { room: first.name }
    return [time ? t('house.warming_one_for', { ...name, time }) : t('house.warming_one', name), ...more]
  }
  if (first) return [t('house.warming_many', { n: warming.length }), ...more]
  return others > 0 ? [t('house.heating', { n: others })] : []
}

/** In the season in which rooms are cooled; some can be heated meanwhile. */
function cooling({ rooms }: AppBuilding, { t }: Wording): string[] {
  const cooled = rooms.filter(({ cools }) => cools)
  const n = cooled.filter(({ power }) => power > 0).length
  return cooled.length === 0 ? [] : [n > 0 ? t('house.cooling', { n }) : t('house.not_cooling')]
}
