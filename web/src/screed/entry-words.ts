import { SCREED_PROGRAMMES, type ScreedTrouble } from '@hypocaust/domain/facts'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

/** An entry of a record, as the service writes it (service/src/house/screed/entries.ts). */
export interface RecordEntry {
  at: string
  kind: 'started' | 'step' | 'measured' | 'deviation' | 'deviation_ended' | 'gap' | 'restarted' | 'ended'
  programme?: string
  rooms?: string[]
  step?: number
  supply_c?: number
  hours?: number
  from?: string
  set?: number
  mean?: number | null
  least?: number | null
  most?: number | null
  because?: ScreedTrouble | 'finished' | 'stopped'
  minutes?: number
  stood_minutes?: number
  worst_k?: number
  held_hours?: number
}

interface Words {
  t: Translate
  format: Formats
  dated(at: string): string
}

/** One line of the printed record. */
export function entryInWords(entry: RecordEntry, { t, format, dated }: Words): string {
  const degrees = (c: number | null = null) => (c === null ? '–' : `${format.degrees(c)}°`)
  const hours = format.input(entry.hours ?? entry.held_hours ?? 0)
  const what = entry.because ? t(`screed.what_${entry.because}` as 'screed.what_too_cold') : ''
  switch (entry.kind) {
    case 'started': {
      const stored = SCREED_PROGRAMMES.find((each) => each === entry.programme)
      const name = stored ? t(`screed.${stored}`) : (entry.programme ?? '')
      return t('screed.says_started', { programme: name, rooms: (entry.rooms ?? []).join(', ') })
    }
    case 'step':
      return t('screed.says_step', { step: (entry.step ?? 0) + 1, degrees: degrees(entry.supply_c), hours })
    case 'measured': {
      const { mean, least, most, set } = entry
      if (mean === null) return t('screed.says_unmeasured', { set: degrees(set) })
      return t('screed.says_measured', {
        mean: degrees(mean),
        least: degrees(least),
        most: degrees(most),
        set: degrees(set),
      })
    }
    case 'deviation':
      return t('screed.says_deviation', { what })
    case 'deviation_ended':
      return t('screed.says_deviation_ended', {
        minutes: entry.minutes ?? 0,
        kelvin: format.kelvin(entry.worst_k ?? 0),
        what,
      })
    case 'gap':
      return t('screed.says_gap', { from: dated(entry.from ?? entry.at) })
    case 'restarted':
      return t('screed.says_restarted', { minutes: entry.stood_minutes ?? 0 })
    case 'ended':
      return t(entry.because === 'finished' ? 'screed.says_finished' : 'screed.says_stopped', { hours })
  }
}
