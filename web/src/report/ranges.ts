import { useWords } from '../i18n/index.tsx'

interface Range {
  value: number
  low: number
  high: number
}

export const UNKNOWN = '–'

/** A figure with the range that holds it nine times out of ten. */
export function useRange(): (range: Range | null, shown: (value: number) => string) => string {
  const { t } = useWords()
  return (range, shown) =>
    range === null
      ? UNKNOWN
      : t('house_report.range', { value: shown(range.value), low: shown(range.low), high: shown(range.high) })
}
