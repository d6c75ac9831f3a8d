import { heldPower, type ManualSetting, type Steering, steeringOf } from '@hypocaust/domain'
import type { RoomTable } from '../../store/tables/rooms.ts'

export type ManualColumns = Pick<RoomTable, 'manualEnabled' | 'manualPower'>

export const manualSettingOf = ({ manualEnabled, manualPower }: ManualColumns): ManualSetting => ({
  enabled: manualEnabled === 1,
  power: manualPower,
})

export const steeringOfRow = (row: ManualColumns): Steering => steeringOf(manualSettingOf(row))

/** The manual setting as text. The control stores the one that it has decided for. */
export function steeringKeyOf(row: ManualColumns): string {
  const held = heldPower(steeringOfRow(row))
  return held === undefined ? 'automatic' : `manual ${held}`
}

/** Who heats the room. */
type Heater = { watchedSince: number | null }

/** Until the control has seen a new manual power, that value stands; afterwards the control reports the capped power. */
export function powerOf(row: ManualColumns & Heater & { controlPower: number; controlledWish: string | null }): number {
  if (row.watchedSince !== null) return row.controlPower
  return row.controlledWish === steeringKeyOf(row)
    ? row.controlPower
    : (heldPower(steeringOfRow(row)) ?? row.controlPower)
}
