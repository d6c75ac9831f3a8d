import type { AppRoom, AppRoomPatch } from '@hypocaust/domain'
import type { Steering } from '@hypocaust/domain/facts'
import { changeRoom } from '../api/room-changes.ts'
import type { Translate } from '../i18n/translator.ts'
import { MANUAL_HOURS, putOverride } from '../schedule/put-override.ts'
import { say } from '../ui/toast.tsx'
import { modeOf } from './words.ts'

export type Mode = Steering['kind']

const FIRST_MANUAL_POWER = 0.3

/** Switches a room over, on every page alike: with the way back. Manual power ends by itself. */
export function steer(room: AppRoom, next: Mode, t: Translate, onProblem: (error: unknown) => void): void {
  if (modeOf(room) === next) return
  const done = { text: t(`room.switched_${next}`, { room: room.name }), undo: () => restore(room, onProblem) }
  if (next === 'manual') {
    const power = room.manual_power.power || room.power || FIRST_MANUAL_POWER
    putOverride({ roomId: room.id }, { power, hours: MANUAL_HOURS }).then(() => say(done), onProblem)
    return
  }
  changeRoom(room.id, { hvac_mode: next === 'off' ? 'off' : 'heat' })
  say(done)
}

/** As it was before, an override included. */
function restore(
  { id, override, manual_power: { enabled, power } }: AppRoom,
  onProblem: (error: unknown) => void,
): void {
  const before: AppRoomPatch = enabled ? { manual_power: { enabled, power } } : { hvac_mode: 'heat' }
  if (override) putOverride({ roomId: id }, override).catch(onProblem)
  else changeRoom(id, before)
}
