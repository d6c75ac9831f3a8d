import type { Slot } from '@hypocaust/control'
import { dot, LeastSquares } from './least-squares.ts'
import { HORIZONS, LONGEST, type Moment } from './moment.ts'

/** Learns from moments whose future is known by now, and says what comes 2, 4, 8 and 12 hours after another. */
type Rival = {
  learn(moment: Moment): void
  /** Takes what was learned since into use: each night. */
  settle(): void
  predict(moment: Moment): number[]
}

const nothingToLearn = { learn() {}, settle() {} }

export const persistence = (): Rival => ({ ...nothingToLearn, predict: ({ airC }) => HORIZONS.map(() => airC) })

/** What was measured a day earlier; where nothing was, as it is now. */
export const yesterday = (): Rival => ({
  ...nothingToLearn,
  predict: ({ airC, yesterdayC }) => yesterdayC.map((measuredC) => measuredC ?? airC),
})

const TIME_CONSTANTS_H = [3, 5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300]

/**
 * One capacity and one resistance: for each of many time constants the gains of heat, sun and people by least squares on
 * all four horizons, and of these the one that leaves the least over.
 */
export function rc(): Rival {
  const candidates = TIME_CONSTANTS_H.map((hours) => ({ kept: Math.exp(-0.5 / hours), fit: new LeastSquares(3) }))
  let best: { kept: number; weights: number[] } | null = null
  return {
    learn(moment) {
      for (const { kept, fit } of candidates)
        for (const { horizon, startC, features } of rcFeatures(moment, kept)) {
          const measuredC = moment.measuredC[horizon]
          if (measuredC !== null && measuredC !== undefined) fit.add(features, measuredC - startC)
        }
    },
    settle() {
      let leastOver = Number.POSITIVE_INFINITY
      for (const { kept, fit } of candidates) {
        const solution = fit.solve()
        if (!solution || solution.leftOver >= leastOver) continue
        leastOver = solution.leftOver
        best = { kept, weights: solution.weights }
      }
    },
    predict(moment) {
      const known = best
      if (!known) return HORIZONS.map(() => moment.airC)
      return rcFeatures(moment, known.kept).map(({ startC, features }) => startC + dot(known.weights, features))
    },
  }
}

/** Without any gain the room follows the outdoor air; the features are what heat, sun and a constant add to that. */
function rcFeatures({ airC, ahead }: Moment, kept: number) {
  const result: { horizon: number; startC: number; features: number[] }[] = []
  let startC = airC
  let [heat, sun, constant] = [0, 0, 0]
  for (const [i, { power, outdoorC, solarWm2 }] of ahead.entries()) {
    startC = kept * startC + (1 - kept) * outdoorC
    heat = kept * heat + power
    sun = kept * sun + solarWm2 / 100
    constant = kept * constant + 1
    const horizon = HORIZONS.findIndex((slots) => slots === i + 1)
    if (horizon >= 0) result.push({ horizon, startC, features: [heat, sun, constant] })
  }
  return result
}

/** For each horizon one linear regression of the change on all that could matter. */
export function regression(): Rival {
  const fits = HORIZONS.map(() => new LeastSquares(REGRESSION_FEATURES))
  let weights: (number[] | null)[] = HORIZONS.map(() => null)
  return {
    learn(moment) {
      for (const [horizon, fit] of fits.entries()) {
        const measuredC = moment.measuredC[horizon]
        if (measuredC !== null && measuredC !== undefined)
          fit.add(regressionFeatures(moment, horizon), measuredC - moment.airC)
      }
    },
    settle() {
      weights = fits.map((fit) => fit.solve()?.weights ?? null)
    },
    predict(moment) {
      return weights.map((known, horizon) =>
        known ? moment.airC + dot(known, regressionFeatures(moment, horizon)) : moment.airC,
      )
    },
  }
}

const REGRESSION_FEATURES = 10

function regressionFeatures({ airC, ahead, before, yesterdayC }: Moment, horizon: number): number[] {
  const slots = ahead.slice(0, HORIZONS[horizon] ?? LONGEST)
  const late = slots.slice(slots.length / 2)
  const riseK = airC - (before[0]?.airC ?? airC)
  return [
    1,
    airC - 20,
    riseK,
    (yesterdayC[horizon] ?? airC) - airC,
    mean(slots, (slot) => slot.outdoorC) - airC,
    mean(slots, (slot) => slot.power),
    mean(late, (slot) => slot.power),
    mean(slots, (slot) => slot.solarWm2) / 100,
    mean(late, (slot) => slot.solarWm2) / 100,
    mean(before, (slot) => slot.power),
  ]
}

const mean = (slots: Slot[], value: (slot: Slot) => number) =>
  slots.reduce((sum, slot) => sum + value(slot), 0) / Math.max(1, slots.length)
