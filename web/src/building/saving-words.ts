import type { RoomSavings } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

type Saved = RoomSavings['half_degree_less']

const HALF_DEGREE_K = 0.5

/** What half a degree and an hour of setback would have saved, a sentence each; a saving within its error is none. */
export function savingsInWords(savings: RoomSavings, t: Translate, format: Formats): string[] {
  const { days, target_temperature: target, half_degree_less, setback_hour_earlier } = savings
  const sentence = (change: string, { percent, plus_minus }: Saved) =>
    percent > plus_minus
      ? t('saving.less', {
          change,
          days: Math.round(days),
          percent: format.decimal(percent),
          error: format.decimal(plus_minus),
        })
      : t('saving.same', { change, days: Math.round(days) })
  const cooler = { lower: format.degrees(target - HALF_DEGREE_K), target: format.degrees(target) }
  return [
    sentence(t('saving.cooler', cooler), half_degree_less),
    ...(setback_hour_earlier ? [sentence(t('saving.night'), setback_hour_earlier)] : []),
  ]
}
