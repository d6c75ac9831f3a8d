import { type StepInput, type StepResult, stepRoom, warmAgainK } from '@hypocaust/control'
import { HOUR_S } from '@hypocaust/domain'
import { type PresenceRow, presenceRuleOf } from '../rooms/vacancy.ts'
import type { ControlledRoom } from './inputs.ts'

/**
 * One step of a room. Where it is empty, and how far it may cool has just been worked out anew, the step goes by that: an
 * outlook, which reads it from the store, and the decision would otherwise say different things until the next reading.
 */
export function stepWithVacancy(
  building: Pick<PresenceRow, 'presenceRule'>,
  room: ControlledRoom,
  inputOf: (room: ControlledRoom) => StepInput,
): { input: StepInput; step: StepResult; warmAgainK: number | null } {
  const input = inputOf(room)
  const step = stepRoom(room.state, input)
  const mostK = warmAgainAfter(building, room, step, input)
  const anew = mostK === room.warmAgainK ? input : inputOf({ ...room, warmAgainK: mostK })
  return anew === input || !anew.settings.vacancy
    ? { input, step, warmAgainK: mostK }
    : { input: anew, step: stepRoom(room.state, anew), warmAgainK: mostK }
}

/** How far a room may cool while nobody is home: worked out every half hour, where something follows from it. */
function warmAgainAfter(
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
