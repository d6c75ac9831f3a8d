import { DAY_MS } from '@hypocaust/domain/facts'
import { HOURS, PIPE, SENSED, SURFACE } from './motion.ts'

/** Predictions are learned and judged this many half hours ahead: 2, 4, 8 and 12 hours. */
export const JUDGED_SLOTS = [4, 8, 16, 24] as const

/** How far the reading will change, as a regression for one horizon; a feature counts in spreads from its mean. */
export type Regression = { meanK: number; centre: number[]; scale: number[]; weights: number[] }

/**
 * A second opinion on what the sensor will show, one regression for each horizon, with the mean squares in K² of what the
 * model and the regressions have missed of late; null while nothing has been judged.
 */
export type Direct = { regressions: Regression[]; missed: { model: number[]; direct: number[] } | null }

/** No feature counts for more than this: beyond what the days have shown, a line leads anywhere. */
const MOST_SPREADS = 2

/** What is known when a prediction is made: the last reading, and the estimate at that time. */
export type Known = { airC: number; mean: ArrayLike<number> }
type Coming = { power: number; outdoorC: number; solarWm2: number }

/** What the change of the reading is explained by; `endMs` is the end of the time ahead, by the local clock. */
export function featuresOf({ airC, mean }: Known, ahead: Coming[], endMs: number): number[] {
  const late = ahead.slice(ahead.length / 2)
  const turn = (2 * Math.PI * endMs) / DAY_MS
  const sensedC = mean[SENSED] as number
  return [
    airC,
    meanOf(ahead, (slot) => slot.outdoorC) - airC,
    meanOf(ahead, (slot) => slot.power),
    meanOf(late, (slot) => slot.power),
    meanOf(ahead, (slot) => slot.solarWm2),
    meanOf(late, (slot) => slot.solarWm2),
    Math.sin(turn),
    Math.cos(turn),
    (mean[PIPE] as number) - sensedC,
    (mean[SURFACE] as number) - sensedC,
    mean[HOURS] as number,
  ]
}

const meanOf = (slots: Coming[], value: (slot: Coming) => number): number =>
  slots.reduce((sum, slot) => sum + value(slot), 0) / slots.length

export const changeK = ({ meanK, centre, scale, weights }: Regression, features: number[]): number =>
  features.reduce((sum, feature, i) => {
    const spreads = (feature - (centre[i] as number)) / (scale[i] as number)
    return sum + (weights[i] as number) * Math.min(MOST_SPREADS, Math.max(-MOST_SPREADS, spreads))
  }, meanK)

/** In weather that the days have never shown, the second opinion moves the model by no more than so many of its errors. */
const MOST_ERRORS = 3

/** By how much the model is corrected where a regression expects so much more: by the inverse squares of what each missed. */
export function correctedK({ missed }: Direct, horizon: number, moreK: number): number {
  const [model, direct] = [missed?.model[horizon] ?? 0, missed?.direct[horizon] ?? 0]
  if (!(model > 0 && direct >= 0)) return 0
  const mostK = MOST_ERRORS * Math.sqrt(model)
  const correctionK = (model / (model + direct)) * moreK
  return Number.isFinite(correctionK) ? Math.min(mostK, Math.max(-mostK, correctionK)) : 0
}
