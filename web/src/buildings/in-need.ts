import type { OverviewEntry } from '@hypocaust/domain'
import type { Translate } from '../i18n/translator.ts'

/**
 * How many of all buildings need attention: the same sentence on the first page and above the alerts. One that is not set
 * up, or does not report, may need nobody now; fine it is not.
 */
export const inNeedInWords = (inNeed: number, buildings: Pick<OverviewEntry, 'need'>[], t: Translate): string =>
  inNeed === 0 && buildings.every(({ need }) => need === 'fine')
    ? t('home.all_well', { n: buildings.length })
    : t('home.unwell', { n: inNeed, all: buildings.length })
