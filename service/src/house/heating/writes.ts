import { type Decision, doingOf, fallbackPower, type RoomControl, type StepResult, windowOf } from '@hypocaust/control'
import { MINUTE_MS } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Bit } from '../../store/tables/columns.ts'
import { type Decided, decidedFor } from '../gateways/valves.ts'
import { steeringKeyOf } from '../rooms/steering.ts'
import { type Compacted, compact } from './compact.ts'
import type { ControlledRoom } from './inputs.ts'
import { nextState } from './next-state.ts'

const FALLBACK_STEP = 0.05

/** One room's step, with the form in which it is written. */
export interface Stepped {
  room: ControlledRoom
  step: StepResult
  outcome: Outcome
  version: number
  state: { text: string; compacted: Compacted<RoomControl> }
}

export const steppedOf = (
  room: ControlledRoom,
  step: StepResult,
  warmAgainK: number | null,
  before?: Compacted<RoomControl>,
): Stepped => ({
  room,
  step,
  outcome: { ...outcomeOf(room, step), warmAgainK },
  version: (room.version ?? 0) + 1,
  state: compact(step.state, before),
})

/** One room's step as writes. */
export function writesOf(store: Store, { room, step, outcome, state }: Stepped): Compilable[] {
  const { decision, slot } = step
  const isKept = isWorthKeeping(decision, room)
  const { keptAt, keptGist } = isKept ? { keptAt: decision.atMs, keptGist: gistOf(decision) } : room
  return [
    nextState(store, { roomId: room.id, version: room.version, state: state.text, keptAt, keptGist }),
    ...(isSame(room, outcome) ? [] : [setOutcome.with(store, { roomId: room.id, ...outcome })]),
    ...(isKept ? [keepDecision(store, room.id, decision)] : []),
    ...(slot && isHeatKnown(decision)
      ? [keepSlot.with(store, { roomId: room.id, endsAt: slot.endMs, slot: JSON.stringify(slot) })]
      : []),
  ]
}

/** Whether a step leaves a command that has not been sent to its gateway. */
export function isNews({ room, outcome }: Stepped): boolean {
  return (
    outcome.controlPower !== room.controlPower ||
    outcome.controlWindowS !== room.controlWindowS ||
    outcome.controlledWish !== room.controlledWish ||
    outcome.fallbackPower !== room.fallbackPower
  )
}

/** As the gateways' commands need it. */
export const decidedOf = ({ room, outcome }: Stepped): Decided => decidedFor(room.id, outcome)

type Outcome = ReturnType<typeof outcomeOf> & { warmAgainK: number | null }

const isSame = (room: ControlledRoom, outcome: Outcome): boolean =>
  (Object.keys(outcome) as (keyof Outcome)[]).every((name) => outcome[name] === room[name])

const outcomeOf = (room: ControlledRoom, step: StepResult) => ({
  controlPower: shown(step.power),
  controlWindowS: windowOf(step.state),
  cools: (step.decision.cooling ? 1 : 0) as Bit,
  controlledWish: steeringKeyOf(room),
  fallbackPower: fallbackOf(room, step),
  aimC: step.decision.aim.targetC,
  warmingFor: step.decision.warmsForMs,
})

const setOutcome = statement((db, outcome: Outcome & { roomId: string }) => {
  const { roomId, controlPower, controlWindowS, cools, controlledWish, fallbackPower } = outcome
  const { aimC, warmingFor, warmAgainK } = outcome
  const decided = { controlPower, controlWindowS, cools, controlledWish, fallbackPower }
  const changes = { ...decided, aimC, warmingFor, warmAgainK }
  return db.updateTable('rooms').set(changes).where('id', '=', roomId)
})

function keepDecision(store: Store, roomId: string, decision: Decision): Compilable {
  const { atMs: decidedAt, power, aim } = decision
  const figures = { power: shown(power), targetC: aim.targetC, decision: compact(decision).text }
  return addDecision.with(store, { roomId, decidedAt, ...figures })
}

interface KeptDecision {
  roomId: string
  decidedAt: number
  power: number
  targetC: number
  decision: string
}

const addDecision = statement((db, { roomId, decidedAt, power, targetC, decision }: KeptDecision) =>
  db
    .insertInto('decisions')
    .values({ roomId, decidedAt, power, targetC, decision })
    .onConflict((conflict) => conflict.columns(['roomId', 'decidedAt']).doUpdateSet({ power, targetC, decision })),
)

const keepSlot = statement((db, { roomId, endsAt, slot }: { roomId: string; endsAt: number; slot: string }) =>
  db
    .insertInto('roomSlots')
    .values({ roomId, endsAt, slot })
    .onConflict((conflict) => conflict.columns(['roomId', 'endsAt']).doNothing()),
)

/** From a half hour whose heat nobody has reported nothing can be learned. */
const isHeatKnown = ({ caps }: Decision): boolean => !caps.includes('watched-unseen')

const REPEATED_AFTER_MS = 30 * MINUTE_MS

/** A decision like the last one says nothing new, until its figures are old. */
export function isWorthKeeping(
  decision: Decision,
  { keptAt, keptGist }: Pick<ControlledRoom, 'keptAt' | 'keptGist'>,
): boolean {
  if (keptAt === null || decision.atMs - keptAt >= REPEATED_AFTER_MS || decision.atMs < keptAt) return true
  return gistOf(decision) !== keptGist
}

/** With what the floor does by it: an older decision must not explain something else than the outlook shows. */
export const gistOf = (decision: Decision): string => {
  const { mode, power, rung, notices, caps, aim, shading } = decision
  const blinds = shading ? [shading.closeMs, shading.openMs] : []
  return JSON.stringify([mode, shown(power), rung, notices, caps, aim.targetC, doingOf(decision), ...blinds])
}

/**
 * In steps, and only when a whole step has been passed: every change is a message to the gateway. One that is lost goes
 * on with the fallback it knows.
 */
function fallbackOf(room: ControlledRoom, { state, decision }: StepResult): number | null {
  if (decision.caps.includes('gateway-lost')) return room.fallbackPower
  const learned = fallbackPower(state, room.floorType, state.weather?.outdoorC ?? null)
  if (room.fallbackPower !== null && Math.abs(learned - room.fallbackPower) < FALLBACK_STEP) return room.fallbackPower
  return shown(Math.round(learned / FALLBACK_STEP) * FALLBACK_STEP)
}

/** A valve cannot follow more digits, and a change in the last one is no news to a gateway. */
const shown = (power: number): number => Math.round(power * 1000) / 1000
