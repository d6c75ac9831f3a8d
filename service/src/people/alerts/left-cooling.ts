import type { Decision } from '@hypocaust/control'
import { type AlertFacts, HOUR_MS } from '@hypocaust/domain'
import type { BuildingFacts, RoomFacts, State } from './facts.ts'
import { isWindowOpen, spellOf } from './heat.ts'

const TOO_COLD_K = 1
const COLD_FOR_MS = HOUR_MS

/** The season is set to cooling by hand, and a room has been too cold for an hour: nothing will heat it. */
export function leftCooling({ isCoolingByHand, rooms }: BuildingFacts, nowMs: number): State {
  if (!isCoolingByHand) return 'lapsed'
  const states = rooms.map((room) => tooColdToCool(room, nowMs))
  return (['holds', 'unknown', 'gone'] as const).find((state) => states.includes(state)) ?? 'lapsed'
}

/** The name and temperature of the coldest of those rooms. The alert remains that of the building. */
export function coldestLeft({ rooms }: BuildingFacts, nowMs: number): Partial<AlertFacts> {
  const stateOf = new Map(rooms.map((room) => [room, tooColdToCool(room, nowMs)]))
  // An alert that stays open while nothing is certain still names a room.
  const named = (['holds', 'unknown'] as const).map((state) => rooms.filter((room) => stateOf.get(room) === state))
  const [coldest] = (named.find((some) => some.length > 0) ?? [])
    .map(({ name, decisions }) => ({ room: name, value: decisions.at(-1)?.air?.airC ?? null }))
    .toSorted((a, b) => (a.value ?? Number.POSITIVE_INFINITY) - (b.value ?? Number.POSITIVE_INFINITY))
  return coldest ?? {}
}

/** Only such a room's last hours are read. */
export const mayBeLeftCooling = (latest: Decision | undefined): boolean =>
  latest?.mode === 'cool' && latest.air !== null && latest.air.airC < heatLowC(latest) - TOO_COLD_K

/**
 * Off, by hand, or heated by another thermostat, a room would not be heated in the other season either; where the setpoint
 * is that of the floor, the air has none. One that is cooled on purpose is not too cold within the band of its cooling.
 */
function tooColdToCool(room: RoomFacts, nowMs: number): State {
  const { decisions, targetC, bandK, coolingTargetC } = room
  const latest = decisions.at(-1)
  if (!isConcerned(room) || (latest && (!isSteered(latest) || latest.targetOf === 'floor'))) return 'lapsed'
  if (!latest?.air) return 'unknown'
  const cooledC = coolingTargetC === null ? Number.POSITIVE_INFINITY : coolingTargetC - bandK
  // A night setback does not end it: the room is too cold again in the morning.
  if (latest.air.airC >= Math.min(cooledC, Math.max(heatLowC(latest), targetC - bandK))) return 'gone'
  const spell = spellOf(decisions, nowMs - COLD_FOR_MS, nowMs)
  const isCold = spell?.every(
    ({ decision, airC }) =>
      decision.mode === 'cool' && !isWindowOpen(decision) && airC < Math.min(cooledC, heatLowC(decision)) - TOO_COLD_K,
  )
  return isCold ? 'holds' : 'unknown'
}

/** Electric mats heat in either season, and a room that was never measured keeps no alert open. */
const isConcerned = ({ watchedSince, floorType, measuredAt }: RoomFacts): boolean =>
  watchedSince === null && floorType !== 'electric' && measuredAt !== null

/** While the building heats against frost, the room does too, and is cooled again afterwards. */
const isSteered = ({ mode }: Decision): boolean => mode === 'cool' || mode === 'heat'

/** A stored decision of an earlier version has none while it cools: then every comparison is false. */
const heatLowC = ({ cooling, aim }: Decision): number => (cooling ? cooling.heatLowC : aim.lowC)
