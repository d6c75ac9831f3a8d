import type { RoomSavings } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

type Uncertain = NonNullable<RoomSavings['half_degree']>

const HALF_DEGREE_K = 0.5

/** What half a degree and an hour of setback would have saved, a sentence each; a saving within its error is none. */
export function savingsInWords(savings: RoomSavings, t: Translate, format: Formats): string[] {
  const { days, target, half_degree, hour_of_night } = savings
  if (!half_degree) return [t('saving.unknown')]
  const sentence = (change: string, { value, plus_minus }: Uncertain) =>
    value > plus_minus
      ? t('saving.less', {
          change,
          days: format.whole(days),
          percent: format.decimal(value),
          error: format.decimal(plus_minus),
        })
      : t('saving.same', { change, days: format.whole(days) })
  const cooler = { lower: format.degrees(target - HALF_DEGREE_K), target: format.degrees(target) }
  return [
    sentence(t('saving.cooler', cooler), half_degree),
    ...(hour_of_night ? [sentence(t('saving.night'), hour_of_night)] : []),
  ]
}
