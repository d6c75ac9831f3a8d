import { type StepInput, type StepResult, warmAgainK } from '@hypocaust/control'
import { HOUR_S } from '@hypocaust/domain'
import { type PresenceRow, presenceRuleOf } from '../rooms/vacancy.ts'
import type { ControlledRoom } from './inputs.ts'

/** How far a room may cool while nobody is home: worked out every half hour, where something follows from it. */
export function warmAgainAfter(
  building: Pick<PresenceRow, 'presenceRule'>,
  room: Pick<ControlledRoom, 'warmAgainK'>,
  { state, slot }: StepResult,
  input: StepInput,
): number | null {
  const rule = presenceRuleOf(building)
  if (!rule) return null
  if (room.warmAgainK !== null && !slot) return room.warmAgainK
  return warmAgainK(state, input, rule.warm_again_hours * HOUR_S)
}
