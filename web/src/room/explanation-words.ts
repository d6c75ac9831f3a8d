import type { RoomExplanation } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

const SOON_MS = 900_000

/** The sentence of `/v1` in the language of the reader: both follow from `doing`. */
export function sentence(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string {
  const { doing } = facts
  const power = format.percent(facts.power)
  const share = format.percent(facts.share)
  const held = facts.caps.includes('floor-limit') ? ` ${t('why.held_back')}` : ''
  switch (doing) {
    case 'off':
    case 'open-window':
    case 'grid-lock':
    case 'no-valve':
    case 'no-gateway':
    case 'floor-limit':
    case 'no-reading':
      return t(`why.is_${doing}`)
    case 'frost':
      return t('why.is_frost', { degrees: format.degrees(facts.measured?.temperature ?? 0) })
    case 'manual':
      return t('why.is_manual', { power }) + held
    case 'loop-test':
    case 'loop-search':
    case 'gateway-lost':
    case 'base-warmth':
    case 'watched':
    case 'watched-unseen':
    case 'learned-power':
      return t(`why.is_${doing}`, { power, share })
    case 'can-wait':
      return `${t('why.is_can-wait')} ${need(facts, t, format, timeZone)}`
    case 'between-openings':
    case 'warming-ahead':
    case 'heating':
    case 'too-warm':
    case 'warm-enough':
      return `${need(facts, t, format, timeZone)} ${t(`why.is_${doing}`, { power, share })}${held}`
  }
}

/** What the room would come to without more heat. */
function need(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string {
  const { without_heat: without, estimate, aim } = facts
  if (without) {
    const at = Date.parse(without.at)
    const isSoon = at - Date.parse(facts.decided_at) < SOON_MS
    return t('why.short', {
      kelvin: format.kelvin(without.low - without.temperature),
      when: isSoon ? t('why.now') : t('why.at', { time: format.clock(at, timeZone) }),
      duration: format.duration(without.floor_needs_s),
    })
  }
  if (!estimate) return t('why.is_no-reading')
  if (estimate.temperature > aim.high) return t('why.above', { kelvin: format.kelvin(estimate.temperature - aim.high) })
  return t('why.in_band', { low: format.degrees(aim.low), high: format.degrees(aim.high) })
}

export function details(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string[] {
  const { measured, estimate, outdoor, aim, notices, caps } = facts
  return [
    t('why.decided', { time: format.clock(Date.parse(facts.decided_at), timeZone) }),
    measured
      ? t('why.measured', { degrees: format.degrees(measured.temperature), age: format.duration(measured.age_s) })
      : t('why.not_measured'),
    ...(estimate
      ? [
          t(estimate.floor_measured ? 'why.floor_measured' : 'why.floor_estimated', {
            degrees: format.degrees(estimate.floor),
          }),
        ]
      : []),
    ...(outdoor === null ? [] : [t('why.outdoor', { degrees: format.degrees(outdoor) })]),
    // Under manual power and off nothing is aimed for.
    ...(aim.reason === 'manual' || aim.reason === 'off'
      ? []
      : [t(`why.aim_${aim.reason}`, { degrees: format.degrees(aim.target) })]),
    t(`why.rung_${facts.rung}`),
    t('why.confidence', { percent: format.percent(facts.confidence) }),
    ...(facts.no_heat ? [t('why.no_heat', facts.no_heat)] : []),
    ...notices.map((notice) => t(`why.notice_${notice}`)),
    ...caps.map((cap) => t(`why.cap_${cap}`)),
  ]
}
