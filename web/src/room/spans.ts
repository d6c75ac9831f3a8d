import { DAY_S } from '@hypocaust/domain/facts'

export const SPANS = { day: DAY_S, week: 7 * DAY_S, month: 31 * DAY_S, year: 366 * DAY_S } as const
export type Span = keyof typeof SPANS

/** As the service steps them: within one step nothing new is to be asked for, only the last point changes. */
export const STEPS_S: Record<Span, number> = { day: 300, week: 600, month: 3600, year: DAY_S }

export interface View {
  fromS: number
  toS: number
}

export function upToNow(span: Span, nowMs: number): View {
  const stepS = STEPS_S[span]
  const toS = (Math.floor(nowMs / 1000 / stepS) + 1) * stepS
  return { fromS: toS - SPANS[span], toS }
}
