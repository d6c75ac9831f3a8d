import type { HeatSource, Tariff } from '@hypocaust/domain'
import { SUPPLY_LIMIT_C } from '@hypocaust/domain/facts'
import type { Wording } from '../i18n/formats.ts'

/** With its prices: "from 06:00 0.3 per kWh, from 22:00 0.2 per kWh". */
export function tariffInWords(
  { kind, price = 0, steps = [], area, factor, surcharge }: Tariff,
  words: Wording,
): string {
  const { t, format } = words
  const perKwh = (amount: number) => t('log.per_kwh', { price: format.amount(amount) })
  switch (kind) {
    case 'fixed':
      return perKwh(price)
    case 'times':
      return steps.map((step) => t('log.price_from', { time: step.at, price: perKwh(step.price) })).join(', ')
    case 'market':
    case 'gateway':
      return [
        t(`tariff.${kind}`),
        ...(area ? [area] : []),
        ...(factor === undefined || factor === 1 ? [] : [`× ${format.amount(factor)}`]),
        ...(surcharge ? [`+ ${perKwh(surcharge)}`] : []),
      ].join(' ')
  }
}

/** With what is known of it: "Heat pump, COP 3.9, supply 22.0° to 40.0°". */
export function heatSourceInWords({ kind, cop, efficiency, supply }: HeatSource, { t, format }: Wording): string {
  const { min = SUPPLY_LIMIT_C.usualMinimum, max } = supply ?? { max: 0 }
  return [
    t(`heat_source.${kind}`),
    ...(cop === undefined ? [] : [t('log.cop', { cop: format.amount(cop) })]),
    ...(efficiency === undefined ? [] : [t('log.efficiency', { efficiency: format.amount(efficiency) })]),
    ...(supply ? [t('log.supply', { min: format.degrees(min), max: format.degrees(max) })] : []),
  ].join(', ')
}
