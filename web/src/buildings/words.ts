import type { OverviewEntry } from '@hypocaust/domain'
import { useWords, type Words } from '../i18n/index.tsx'

/** How many of all buildings need attention: the same sentence on the first page and above the alerts. */
export function useInNeedWords(): (inNeed: number, all: number) => string {
  const { t } = useWords()
  return (inNeed, all) => (inNeed === 0 ? t('home.all_well', { n: all }) : t('home.unwell', { n: inNeed, all }))
}

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
