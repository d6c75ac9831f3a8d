import type { OverviewEntry } from '@hypocaust/domain'
import type { Words } from '../i18n/index.tsx'

/** What a building needs, in a line. */
export function needInWords(entry: OverviewEntry, now: number, { t, format }: Words): string {
  const { need, urgent, reminders, silent_since, timezone } = entry
  switch (need) {
    case 'attention':
      return [...new Set(urgent)].map((kind) => t(`need.${kind}`)).join(', ')
    case 'unavailable':
      return t('need.no_reports', { time: format.since(Date.parse(silent_since ?? ''), now, timezone) })
    case 'unfinished':
      return t('need.unfinished_line')
    case 'fine':
      return reminders === 0 ? t('house.well') : `${t('house.well')} ${t('house.reminders', { n: reminders })}`
  }
}
