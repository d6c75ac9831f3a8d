import type { RoomExplanation } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

const SOON_MS = 900_000

/** The sentence of `/v1` in the language of the reader: both follow from `activity`. */
export function sentence(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string {
  const { activity } = facts
  const power = format.percent(facts.power)
  const share = format.percent(facts.share)
  const held = facts.adjustments.includes('floor_limit') ? ` ${t('why.held_back')}` : ''
  switch (activity) {
    case 'off':
    case 'open_window':
    case 'grid_lock':
    case 'no_valve':
    case 'no_gateway':
    case 'floor_limit':
    case 'no_reading':
    case 'left_out':
    case 'dew_unknown':
      return t(`why.is_${activity}`)
    case 'cooling':
    case 'cool_enough':
    case 'dew_point':
      return [
        t(`why.is_${activity}`, { power, degrees: format.degrees(facts.aim.setpoint) }),
        dew(facts, t, format),
      ].join(' ')
    case 'frost':
      return t('why.is_frost', { degrees: format.degrees(facts.measured?.temperature ?? 0) })
    case 'manual':
      return t('why.is_manual', { power }) + held
    case 'loop_test':
    case 'loop_search':
    case 'screed_heating':
    case 'gateway_lost':
    case 'base_warmth':
    case 'watched':
    case 'watched_unseen':
    case 'learned_power':
      return t(`why.is_${activity}`, { power, share })
    case 'can_wait':
      return `${t('why.is_can_wait')} ${need(facts, t, format, timeZone)}`
    case 'between_openings':
      if (facts.share === 0) return `${need(facts, t, format, timeZone)} ${t('why.is_resting')}`
      return `${need(facts, t, format, timeZone)} ${t('why.is_between_openings', { share })}`
    case 'warming_ahead':
    case 'heating':
    case 'too_warm':
    case 'warm_enough':
      return `${need(facts, t, format, timeZone)} ${t(`why.is_${activity}`, { power, share })}${held}`
  }
}

/** What is known of dew point and water. */
function dew({ cooling }: RoomExplanation, t: Translate, format: Formats): string {
  if (cooling?.dew_point == null || cooling.supply_temperature == null) return ''
  const { dew_point, supply_temperature } = cooling
  return t('why.dew', { dew: format.degrees(dew_point), water: format.degrees(supply_temperature) })
}

/** What the room would come to without more heat. */
function need(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string {
  const { without_heat: without, estimate, aim } = facts
  const isFloor = facts.target_of === 'floor'
  if (without) {
    const at = Date.parse(without.at)
    const isSoon = at - Date.parse(facts.decided_at) < SOON_MS
    return t(isFloor ? 'why.short_floor' : 'why.short', {
      kelvin: format.kelvin(without.low - without.temperature),
      when: isSoon ? t('why.now') : t('why.at', { time: format.clock(at, timeZone) }),
      duration: format.duration(without.floor_needs_s),
    })
  }
  if (!estimate) return t('why.is_no_reading')
  const nowC = isFloor ? estimate.floor : estimate.temperature
  if (nowC > aim.high) return t(isFloor ? 'why.above_floor' : 'why.above', { kelvin: format.kelvin(nowC - aim.high) })
  return t(isFloor ? 'why.in_band_floor' : 'why.in_band', {
    low: format.degrees(aim.low),
    high: format.degrees(aim.high),
  })
}

function floor(estimate: NonNullable<RoomExplanation['estimate']>, t: Translate, format: Formats): string {
  const degrees = format.degrees(estimate.floor)
  if (estimate.floor_measured) return t('why.floor_measured', { degrees })
  if (estimate.floor_error === null) return t('why.floor_estimated', { degrees })
  return t('why.floor_estimated_within', { degrees, kelvin: format.kelvin(estimate.floor_error) })
}

export function details(facts: RoomExplanation, t: Translate, format: Formats, timeZone: string): string[] {
  const { measured, estimate, outdoor_temperature: outdoor, aim } = facts
  return [
    t('why.decided', { time: format.clock(Date.parse(facts.decided_at), timeZone) }),
    measured
      ? t('why.measured', { degrees: format.degrees(measured.temperature), age: format.duration(measured.age_s) })
      : t('why.not_measured'),
    ...(estimate ? [floor(estimate, t, format)] : []),
    ...(outdoor === null ? [] : [t('why.outdoor', { degrees: format.degrees(outdoor) })]),
    // Under manual power and off nothing is aimed for.
    ...(aim.reason === 'manual' || aim.reason === 'off'
      ? []
      : [t(`why.aim_${aim.reason}`, { degrees: format.degrees(aim.setpoint) })]),
    t(`why.basis_${facts.basis}`),
    t('why.confidence', { percent: format.percent(facts.confidence) }),
    ...(facts.hours_without_heat ? [t('why.no_heat', facts.hours_without_heat)] : []),
    ...facts.conditions.map((condition) => t(`why.condition_${condition}`)),
    ...facts.adjustments.map((adjustment) => t(`why.adjustment_${adjustment}`)),
  ]
}
