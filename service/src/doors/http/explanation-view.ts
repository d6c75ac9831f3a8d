import { type RoomExplanation as ExplanationView, minuteText, timestampOf, underscored } from '@hypocaust/domain'
import type { RoomExplanation } from '../../house/heating/explanation.ts'

import { floorError, floorView } from './floor-view.ts'

/** The facts behind a decision, so that a page can say them in its reader's language. */
export function explanationView({ decidedAt, doing, sentence, details, decision }: RoomExplanation): ExplanationView {
  const {
    mode,
    power,
    share,
    rung,
    notices,
    caps,
    air,
    estimate,
    outdoorC,
    aim,
    without,
    warmsForMs,
    price,
    cooling,
    idle,
    confidence,
  } = decision
  const noHeat = idle ? { from: minuteText(idle.fromMinute), to: minuteText(idle.toMinute) } : null
  return {
    decided_at: timestampOf(decidedAt),
    activity: underscored(doing),
    doing,
    sentence,
    details,
    mode,
    power,
    share,
    basis: underscored(rung),
    rung,
    conditions: notices.map(underscored),
    notices,
    adjustments: caps.map(underscored),
    caps,
    measured: air && { temperature: air.airC, age_s: air.ageS },
    estimate: estimate && {
      temperature: estimate.airC,
      floor: estimate.floorC,
      floor_measured: estimate.floorProbed,
      floor_error: floorError(estimate),
    },
    outdoor_temperature: outdoorC,
    outdoor: outdoorC,
    aim: { setpoint: aim.targetC, target: aim.targetC, low: aim.lowC, high: aim.highC, reason: aim.reason },
    without_heat: without && {
      at: timestampOf(warmsForMs ?? without.atMs),
      temperature: without.airC,
      low: without.lowC,
      floor_needs_s: without.floorNeedsS,
    },
    price: price ? { kind: price.kind, until: timestampOf(price.untilMs) } : null,
    ...floorView(decision),
    cooling: cooling ? { dew_point: rounded(cooling.dewC), supply_temperature: rounded(cooling.waterC) } : null,
    hours_without_heat: noHeat,
    ...(noHeat && { no_heat: noHeat }),
    confidence,
  }
}

const rounded = (c: number | null): number | null => (c === null ? null : Math.round(10 * c) / 10)
