import type { Blinds, ChangeEntry, OtherSensors, PresenceRule } from '@hypocaust/domain'
import type { FloorTime } from '@hypocaust/domain/facts'
import type { Key } from '../i18n/catalogue.ts'
import type { Wording } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'
import { heatSourceInWords, tariffInWords } from './energy-words.ts'
import { planInWords } from './programme-words.ts'

interface ChangeWords extends Wording {
  /** Of the building. */
  timeZone: string
}

/** Who or what made a change. */
export function actorInWords({ actor: { kind, name, role, holder } }: ChangeEntry, t: Translate): string {
  if (name === '' && (kind === 'person' || kind === 'key')) return t('log.removed_account')
  switch (kind) {
    case 'person':
      return role === 'installer' || role === 'guest' ? t('log.person_as', { name, role: t(`role.${role}`) }) : name
    case 'key':
      return holder === null ? t('log.key_only', { name }) : t('log.key', { name, holder })
    case 'rule':
      return t(`log.rule_${name}` as Key)
    case 'gateway':
      return t('log.gateway', { name })
    case 'operator':
      return t('log.operator', { name })
    default:
      return t(`log.${kind}`)
  }
}

/** What was changed: "Bathroom: target 21.0° → 22.0°". */
export function changeInWords(change: ChangeEntry, words: ChangeWords): string {
  const { t } = words
  const what = eventInWords(change, words) ?? settingInWords(change, words)
  const subject = change.subject || t(change.field === 'invitation' ? 'log.anyone' : 'log.removed_account')
  return t('log.of', { subject, what })
}

const ADDED_OR_REMOVED = ['room', 'gateway', 'building', 'calendar', 'invitation', 'key', 'role']

function eventInWords(change: ChangeEntry, { t, format, timeZone }: ChangeWords): string | undefined {
  const { field, before, after } = change
  if (field === 'gateway_paired' || field === 'gateway_token') return t(`log.${field}`)
  if (field === 'operator_access') return t('log.operator_access', { reason: String(after) })
  if (field === 'calendar' && before !== null && after !== null) return t('log.calendar_changed')
  if (field === 'learning') return t('log.learning', { floor: t(`floor.${after}` as Key) })
  if (!ADDED_OR_REMOVED.includes(field) || (before !== null && after !== null)) return undefined
  const values = {
    role: roleInWords(after ?? before, { t, format, timeZone }),
    permission: t((after as { permission?: string } | null)?.permission === 'write' ? 'log.key_write' : 'log.key_read'),
  }
  return t(`log.${field}_${before === null ? 'added' : 'removed'}` as Key, values)
}

function settingInWords({ field, before, after }: ChangeEntry, words: ChangeWords): string {
  const { t, format } = words
  if (field === 'target_temperature' && before === after)
    return t('log.target_again', { degrees: format.degrees(after as number) })
  const value = (each: unknown, other: unknown) =>
    each === null
      ? t(field === 'used_by' ? 'log.used_anybody' : 'log.nothing')
      : (VALUES[field]?.(each, words, other) ?? plain(each))
  return t('log.change', { label: labelOf(field, t), before: value(before, after), after: value(after, before) })
}

/** A setting that a later version no longer has stays in the log under its own name. */
function labelOf(field: string, t: Translate): string {
  const key = `log.${field}`
  const label = t(key as Key)
  return label === key ? field : label
}

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

// biome-ignore lint/suspicious/noExplicitAny: as the service writes it, by the field
type InWords = (value: any, words: ChangeWords, other: any) => string

const degrees: InWords = (celsius, { format }) => `${format.degrees(celsius)}°`
const onOff: InWords = (isOn, { t }) => t(isOn ? 'log.on' : 'log.off')
const until = (at: string, { format, timeZone }: ChangeWords) => format.moment(Date.parse(at), timeZone)

function roleInWords(value: unknown, { t, format, timeZone }: ChangeWords): string {
  const { role, until: ends } = (value ?? {}) as { role?: string; until?: string | null }
  const name = role === undefined ? '' : t(`role.${role}` as Key)
  return ends ? t('log.role_until', { role: name, date: format.date(Date.parse(ends), timeZone) }) : name
}

function otherSensorsInWords({ use, sensors }: OtherSensors, { t, format }: ChangeWords): string {
  const names = sensors.map(({ id, weight = 1 }) =>
    weight === 1 || use === 'coldest' ? id : t('log.sensor_weight', { id, weight: format.input(weight) }),
  )
  return t(`log.sensors_${use}`, { sensors: names.join(', ') })
}

const VALUES: Record<string, InWords> = {
  target_temperature: degrees,
  max_floor_temperature: degrees,
  surface_factor: (factor, { format }) => format.input(factor),
  mould_warming: (kelvin, { t, format }) => (kelvin === 0 ? t('log.off') : `${format.kelvin(kelvin)}°`),
  minimum_floor_temperature: (times: FloorTime[], { t, format }) =>
    times
      .map(({ temperature, from, to, days = [] }) =>
        [
          t('log.floor_time', { degrees: format.degrees(temperature), from, to }),
          ...days.map((day) => t(`weekday.${day}`)),
        ].join(' '),
      )
      .join('; '),
  blinds: ({ sides, above }: Blinds, { t, format }) =>
    t('log.blinds_are', {
      sides: format.list(sides.map((side) => t(`blinds.${side}`))),
      degrees: format.degrees(above),
    }),
  target_of: (of, { t }) => t(`target_of.${of}` as Key),
  cooling_target: (celsius, words) => (celsius === null ? words.t('log.off') : degrees(celsius, words, null)),
  cooling: ({ season }, { t }) => t(`cooling.season_${season}` as Key),
  hot_water: (tank, words) => (tank === null ? words.t('log.off') : degrees(tank.temperature, words, null)),
  comfort_band: (kelvin, { format }) => `±${format.kelvin(kelvin)}°`,
  area_m2: (area, { format }) => `${format.input(area)} m²`,
  preset_mode: (preset, { t }) => t(`preset.${preset}` as Key),
  icon: (icon, { t }) => t(`room_icon.${icon}` as Key),
  other_sensors: otherSensorsInWords,
  used_by: (names: string[], { t, format }) => (names.length === 0 ? t('log.used_always') : format.list(names)),
  presence_rule: (rule: PresenceRule, { t, format }) =>
    t('log.presence_rule_is', {
      degrees: format.degrees(rule.target_temperature),
      after: format.duration(60 * rule.after_minutes),
      again: format.duration(3600 * rule.warm_again_hours),
    }),
  floor_type: (floor, { t }) => t(`floor.${floor}` as Key),
  frost_protection: onOff,
  only_watch: onOff,
  comfort: (comfort, { t }) => t(`comfort.${comfort}` as Key),
  tariff: tariffInWords,
  heat_source: heatSourceInWords,
  room_order: (rooms: string[]) => rooms.join(', '),
  tags: (tags: string[], { t }) => (tags.length === 0 ? t('log.nothing') : tags.join(', ')),
  manual_power: ({ enabled, power }, { t, format }) =>
    enabled ? (power === 0 ? t('log.off') : t('log.power', { power: format.percent(power) })) : t('log.automatic'),
  override: (override, words) => {
    const time = until(override.until, words)
    const { t, format } = words
    if (override.hvac_mode === 'off') return t('log.off_until', { time })
    if (override.power !== undefined) return t('log.power_until', { power: format.percent(override.power), time })
    return t('log.degrees_until', { degrees: format.degrees(override.target_temperature), time })
  },
  programme: planInWords,
  location: ({ lat, lng }, { format }) => `${format.input(lat)}, ${format.input(lng)}`,
  away: ({ from, until: ends, temperature }, words) =>
    words.t('log.away_span', {
      from: until(from, words),
      time: ends === null ? words.t('away.until_back') : until(ends, words),
      degrees: words.format.degrees(temperature),
    }),
  role: roleInWords,
  valves: (valves: { gateway: string; channel: number }[], { t }) =>
    valves.length === 0 ? t('log.nothing') : valves.map((valve) => t('log.channel', valve)).join(', '),
}
