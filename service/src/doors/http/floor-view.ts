import type { Decision } from '@hypocaust/control'
import { timestampOf } from '@hypocaust/domain'

/** What a decision says of a floor that is held, or has a minimum. */
export const floorView = ({ floor, targetOf }: Pick<Decision, 'floor' | 'targetOf'>) => ({
  target_of: targetOf ?? ('air' as const),
  warm_floor: floor
    ? { temperature: floor.leastC, from: timestampOf(floor.fromMs), until: timestampOf(floor.untilMs) }
    : null,
})

export const floorError = (estimate: Decision['estimate']): number | null =>
  estimate?.floorErrorK === undefined ? null : Math.round(10 * estimate.floorErrorK) / 10
