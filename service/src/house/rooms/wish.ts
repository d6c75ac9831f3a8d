import type { RoomTable } from '../../store/tables.ts'

export type ManualPower = Pick<RoomTable, 'manualEnabled' | 'manualPower'>

/** The holder's wish as far as it overrides the heating control; the control notes which one it has decided for. */
export const wishOf = ({ manualEnabled, manualPower }: ManualPower): string =>
  manualEnabled === 1 ? `manual ${manualPower}` : 'automatic'

/** Until the control has seen a new manual power, that value stands; afterwards the control tells the capped truth. */
export function powerOf(room: ManualPower & { controlPower: number; controlledWish: string | null }): number {
  if (room.controlledWish === wishOf(room) || room.manualEnabled === 0) return room.controlPower
  return room.manualPower
}
