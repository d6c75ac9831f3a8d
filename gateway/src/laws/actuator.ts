/**
 * A thermal actuator: after a switch nothing happens for the dead time, then the valve moves through its stroke at an
 * even pace, both ways. Its position, 0 to 1, is the share of the full flow that the loop gets.
 */
export interface ActuatorKind {
  deadMs: number
  strokeMs: number
}

export const THERMAL: ActuatorKind = { deadMs: 60_000, strokeMs: 180_000 }
/** A relay that heats by itself, as for an electric mat. */
export const NO_ACTUATOR: ActuatorKind = { deadMs: 0, strokeMs: 0 }

const ROUNDING = 1e-9

export interface Actuator {
  position: number
  opening: boolean
  turnedMs: number
  atMs: number
}

export const closedActuator = (nowMs: number): Actuator => ({
  position: 0,
  opening: false,
  turnedMs: Number.NEGATIVE_INFINITY,
  atMs: nowMs,
})

/** From its last step until now, with its relay open or closed all the while; `flowMs` is that much time of full flow. */
export function stepActuator(
  { deadMs, strokeMs }: ActuatorKind,
  { position, atMs, opening: wasOpening, turnedMs: lastTurnedMs }: Actuator,
  opening: boolean,
  nowMs: number,
): { actuator: Actuator; flowMs: number } {
  const turnedMs = opening === wasOpening ? lastTurnedMs : atMs
  const movesFromMs = Math.min(nowMs, Math.max(atMs, turnedMs + deadMs))
  const wayMs = (opening ? 1 - position : position) * strokeMs
  const movingMs = Math.min(nowMs - movesFromMs, wayMs)
  const target = opening ? 1 : 0
  const isMoving = movesFromMs < nowMs
  const arrived = strokeMs === 0 ? target : position + (Math.sign(target - position) * movingMs) / strokeMs
  const reached = isMoving ? (Math.abs(arrived - target) < ROUNDING ? target : arrived) : position
  const restMs = nowMs - movesFromMs - movingMs
  const flowMs = position * (movesFromMs - atMs) + ((position + reached) / 2) * movingMs + reached * restMs
  return { actuator: { position: reached, opening, turnedMs, atMs: nowMs }, flowMs }
}

/** The flow still to come when its relay closes now, or has closed. */
export function tailMs({ deadMs, strokeMs }: ActuatorKind, { position, opening, turnedMs, atMs }: Actuator): number {
  const holdsMs = opening ? deadMs : Math.max(0, turnedMs + deadMs - atMs)
  return position * holdsMs + (position * position * strokeMs) / 2
}

/** So long the relay must be on for the valve to open fully. */
export const fullyOpenMs = ({ deadMs, strokeMs }: ActuatorKind): number => deadMs + strokeMs
