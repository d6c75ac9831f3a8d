import type { RoomEstimate, RoomSettings, StepInput } from './types.ts'

/** Whether the setpoints of a room are those of its floor. */
export const holdsFloor = ({ targetOf }: Pick<RoomSettings, 'targetOf'>): boolean => targetOf === 'floor'

/** What the setpoint of a room is compared with. */
export const heldC = (
  settings: Pick<RoomSettings, 'targetOf'>,
  { airC, floorC }: Pick<RoomEstimate, 'airC' | 'floorC'>,
) => (holdsFloor(settings) ? floorC : airC)

/** As it was measured; undefined where it was not, or not of late. */
export function measuredC({ settings, air, floorProbeC }: StepInput): number | undefined {
  if (holdsFloor(settings)) return floorProbeC ?? undefined
  return air.kind === 'fresh' ? air.airC : undefined
}
