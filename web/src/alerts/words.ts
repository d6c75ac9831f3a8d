import type { Alert } from '@hypocaust/domain'
import { adviceKey } from '@hypocaust/domain/alert-words'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

/** What an alert says, and what to do about it. */
export function alertInWords(
  alert: Alert,
  { t, format, now, timezone }: { t: Translate; format: Formats; now: number; timezone: string | undefined },
): { text: string; advice: string } {
  const values = {
    room: alert.room ?? '',
    rooms: format.list(alert.room_names ?? []),
    building: alert.building,
    time: alert.began_at === null ? '' : format.since(Date.parse(alert.began_at), now, timezone),
    percent: alert.value === null ? '' : format.percent(alert.value / 100),
    degrees: alert.value === null ? '' : format.degrees(alert.value),
    hours: Math.round(alert.value ?? 0),
    minutes: alert.airing?.minutes ?? 0,
    from: alert.airing?.from ? format.since(Date.parse(alert.airing.from), now, timezone) : '',
    difference: alert.value === null ? '' : format.kelvin(alert.value),
  }
  const advice = t(adviceKey(alert), values)
  const { diagnosis } = alert
  const probably = diagnosis && {
    cause: t(`cause.${diagnosis.cause}`),
    percent: format.percent(diagnosis.probability),
  }
  return {
    text: t(`alert.${alert.kind}`, values),
    advice: probably ? `${advice} ${t('diagnosis.probably', probably)}` : advice,
  }
}
