import de from '../words/de.json' with { type: 'json' }
import en from '../words/en.json' with { type: 'json' }
import type { AlertFacts } from './alerts.ts'
import type { Language } from './notifications.ts'

/** What each alert says, and what to do next: the same words on the page, in a mail and on the phone. */
export const ALERT_WORDS: Record<Language, typeof en> = { en, de }

/** Under which key the words stand that say what to do: of mould, by whether airing helps. */
export const adviceKey = ({ kind, airing }: Pick<AlertFacts, 'kind' | 'airing'>) =>
  airing ? (`alert.mould_risk_do_${airing.advice}` as const) : (`alert.${kind}_do` as const)
