import type { RoomAir } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

interface Around {
  t: Translate
  format: Formats
  now: number
  timeZone: string
}

/** Humidity, dew point and the risk of mould, as far as each is known. */
export function airInWords({ humidity, dew_point, mould_risk }: RoomAir, { t, format }: Around): string[] {
  return [
    ...(humidity === null ? [] : [t('room.humidity', { percent: format.percent(humidity / 100) })]),
    ...(dew_point === null ? [] : [t('air.dew_point', { degrees: format.degrees(dew_point) })]),
    ...(mould_risk === null ? [] : [t(`air.mould_${mould_risk}`)]),
  ]
}

/** What can be done where mould may grow, and what is done already. */
export function mouldAdvice({ mould_risk, damp_hours, airing, warmed_by }: RoomAir, around: Around): string[] {
  const { t, format, now, timeZone } = around
  if (mould_risk !== 'raised' && mould_risk !== 'high') return []
  const from = airing?.from ? format.since(Date.parse(airing.from), now, timeZone) : ''
  return [
    t('air.damp_hours', { hours: Math.round(damp_hours ?? 0) }),
    ...(airing ? [t(`air.airing_${airing.advice}`, { minutes: airing.minutes ?? 0, from })] : []),
    ...(warmed_by > 0 ? [t('air.warmed', { kelvin: format.kelvin(warmed_by) })] : []),
  ]
}
