import type { AppProposal, WhatIfAnswer } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

/** Why it is proposed, and what would be another. */
export function proposalInWords(proposal: AppProposal, t: Translate, format: Formats): string[] {
  const { feeling, days, window, setpoint, proposed_setpoint } = proposal
  const degrees = { now: format.degrees(setpoint), proposed: format.degrees(proposed_setpoint) }
  const reason = t(`proposal.${feeling}`, { days })
  if (!window) return [reason, t('proposal.target', degrees)]
  const { weekdays, from, to } = window
  const which = weekdays.length === 7 ? 'all' : weekdays.includes('monday') ? 'weekdays' : 'weekend'
  const times = { days: t(`lanes.days_${which}`), from, to: to === '00:00' ? '24:00' : to }
  return [reason, t('proposal.window', { ...times, ...degrees })]
}

/** More or less heat and money in the coming week, or in the last weeks where nothing is known of it. */
export function costInWords({ ahead, past, currency }: WhatIfAnswer, t: Translate, format: Formats): string {
  const span = ahead ?? past
  if (!span?.heat_percent) return t('proposal.cost_unknown')
  const { now, changed, heat_percent: heat } = span
  const title = ahead ? t('what_if.ahead') : t('what_if.past', { n: Math.round(span.days) })
  const error = { percent: format.decimal(Math.abs(heat.value)), error: format.decimal(heat.plus_minus) }
  const kind = heat.value === 0 ? 'same' : heat.value < 0 ? 'less' : 'more'
  const heatText = `${title}: ${t(`what_if.${kind}`, error)}`
  if (now.cost === null || changed.cost === null) return heatText
  return `${heatText} ${t('proposal.cost', { now: format.money(now.cost, currency), proposed: format.money(changed.cost, currency) })}`
}
