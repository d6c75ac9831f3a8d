import type { HeatSourceNow } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

type SupplyNow = NonNullable<HeatSourceNow['supply']>

/** Why the water is as warm as it is, and what the loops make of it: a sentence each. */
export function supplyInWords(
  { decides, supply }: Pick<HeatSourceNow, 'decides'> & { supply: SupplyNow },
  t: Translate,
  format: Formats,
): string[] {
  return [
    decides === 'source' ? t('supply.own_curve') : whyInWords(supply, t),
    ...(supply.others === null ? [] : [t('supply.others', { degrees: format.degrees(supply.others) })]),
    ...(decides === 'rooms' && supply.set === null ? [t('supply.not_set')] : []),
    ...(supply.day ? [dayInWords(supply.day, t, format)] : []),
  ]
}

function whyInWords({ why, room }: SupplyNow, t: Translate): string {
  switch (why) {
    case 'room':
      return room ? t('supply.room', { room: room.name }) : t('supply.some_room')
    case 'curve':
      return room ? t('supply.curve', { room: room.name }) : t('supply.some_curve')
    case 'screed_heating':
      return t('supply.screed_heating')
    case 'no_demand':
      return t('supply.no_demand')
    case 'undecided':
      return t('supply.undecided')
  }
}

function dayInWords({ open_share, mean }: NonNullable<SupplyNow['day']>, t: Translate, format: Formats): string {
  const share = format.percent(open_share)
  return mean === null ? t('supply.day', { share }) : t('supply.day_mean', { share, degrees: format.degrees(mean) })
}
