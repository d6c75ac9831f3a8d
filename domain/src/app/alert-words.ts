import type { AlertFacts } from './alerts.ts'

/** Under which key the words stand that say what to do: of mould, by whether airing helps. */
export const adviceKey = ({ kind, airing }: Pick<AlertFacts, 'kind' | 'airing'>) =>
  airing ? (`alert.mould_risk_do_${airing.advice}` as const) : (`alert.${kind}_do` as const)
