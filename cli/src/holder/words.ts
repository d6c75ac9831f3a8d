import type { Away, Building, HypocaustError, Override, Presence, Room } from '@hypocaust/client'
import { HOUR_S, steeringOf } from '@hypocaust/domain'

/** Values as a person reads them; what is not known is a dash. */
export const celsius = (value: number | null): string => (value === null ? '–' : `${value.toFixed(1)} °C`)
export const percent = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} %`)

export function action({ hvac_action, power, manual_power }: Room): string {
  const held = steeringOf(manual_power).kind === 'manual' ? ', by hand' : ''
  return hvac_action === 'heating' ? `heating ${percent(power * 100)}${held}` : hvac_action
}

export function availability({ available, last_seen }: Building, nowMs: number): string {
  switch (available) {
    case true:
      return 'connected'
    case false:
      return `silent, last heard ${ago(last_seen, nowMs)}`
    case null:
      return 'no gateway has ever reported: there is nothing to connect to yet'
  }
}

export function ago(timestamp: string | null, nowMs: number): string {
  if (timestamp === null) return 'never'
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(timestamp)) / 1000))
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 48 * HOUR_S) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} days ago`
}

export const summary = (room: Room): string =>
  `${room.name}: ${celsius(room.current_temperature)} now, ${room.hvac_mode === 'off' ? 'off' : `target ${celsius(room.target_temperature)}`}, preset ${room.preset_mode}, ${action(room)}`

const LOST: HypocaustError['code'][] = ['no_connection', 'timeout', 'unknown_host']

/** What a watcher reads while the service is tried again; the most important words first, a terminal may be narrow. */
export const troubleText = ({ code, message }: HypocaustError): string =>
  `${LOST.includes(code) ? 'Connection lost, trying again.' : 'Trying again.'} ${message}`

export const BACK_TEXT = 'The service answers again.'

export function overrideText(name: string, override: Override | null): string {
  if (override === null) return `${name}: no override`
  const { target_temperature: targetC, until } = override
  return `${name}: ${targetC === undefined ? 'off' : celsius(targetC)} until ${localText(until)}`
}

export function endedText(name: string, ended: Away | null): string {
  if (ended === null) return `${name}: not away`
  const until = ended.until === null ? '' : ` until ${localText(ended.until)}`
  return `${name}: ended the absence (${celsius(ended.target_temperature)} from ${localText(ended.from)}${until})`
}

export function presenceText(name: string, { people, rule }: Presence): string {
  const where = people.map((person) => {
    if (person.home === null) return `  ${person.name}: last report ${localText(person.reported_at)}, counts as home`
    return `  ${person.name}: ${person.home ? 'home' : 'away'} since ${localText(person.changed_at)}`
  })
  const follows = rule
    ? `after ${rule.after_minutes} min without anybody at most ${celsius(rule.target_temperature)}, warm again within ${rule.warm_again_hours} h`
    : 'nothing follows when nobody is home'
  return [`${name}: ${follows}`, ...(where.length > 0 ? where : ['  nobody has been reported yet'])].join('\n')
}

export function awayText(name: string, away: Away): string {
  const lowered = `${name}: ${celsius(away.target_temperature)} while away, from ${localText(away.from)}`
  return away.until === null
    ? `${lowered} until you are back: hypocaust back`
    : `${lowered} until ${localText(away.until)}; warm again by then`
}

/** By the clock of this machine: 2026-01-10 23:00. */
export const localText = (timestamp: string): string => {
  const at = new Date(timestamp)
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}`
}
