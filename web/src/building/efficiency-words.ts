import type { BuildingEnergy, HeatSource } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

/** How much heat the source makes, and how that is known: learned by meters, entered by the owner, or assumed. */
export function efficiencyInWords(
  { basis, days, value }: NonNullable<BuildingEnergy['efficiency']>,
  source: HeatSource | null,
  { t, format }: { t: Translate; format: Formats },
): string {
  if (basis === 'learned') return t('heat.learned', { value: format.decimal(value), n: days })
  const entered = source?.cop ?? source?.efficiency
  return entered === undefined
    ? t('heat.assumed', { value: format.input(value) })
    : t('heat.entered', { value: format.input(entered) })
}
