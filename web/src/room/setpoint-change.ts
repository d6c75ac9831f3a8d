import type { AppRoom } from '@hypocaust/domain'
import { changeRoom, takeBack } from '../api/room-changes.ts'
import type { WordingNow } from '../i18n/formats.ts'
import { isSaid, say, type Toast } from '../ui/toast.tsx'
import { setpointOf } from './words.ts'

/** How long a new setpoint holds: until what would change it anyway, or from now on. */
type Span = 'until' | 'always'

/** Until when a change for now would hold; null where nothing changes the setpoint by itself. */
const endOf = ({ override, schedule }: AppRoom): string | null => override?.until ?? schedule.until

/** The comfort temperature is changed from now on; what a programme, an absence or an override made of it, until its end. */
const usualSpan = (room: AppRoom): Span => (room.schedule.reason === 'target' || !endOf(room) ? 'always' : 'until')

/** What can be undone: the room before it, and whether its target was changed since. */
let latest: { room: AppRoom; isTargetChanged: boolean; toast: Toast } | undefined

/** Changes what acts now. How long it holds is said, and can be chosen afterwards. Several taps are undone together. */
export function changeSetpoint(room: AppRoom, celsius: number, words: WordingNow): void {
  if (celsius === setpointOf(room)) return
  const before = latest?.room.id === room.id && isSaid(latest.toast) ? latest : { room, isTargetChanged: false }
  ask(before.room, celsius, usualSpan(room), words, before.isTargetChanged)
}

/** `wasTarget`: the target was changed by an earlier choice, which this one replaces. */
function ask(room: AppRoom, celsius: number, span: Span, words: WordingNow, wasTarget: boolean): void {
  const { t, format, now, timeZone } = words
  const end = endOf(room)
  const isForNow = span === 'until' && end !== null
  const isTargetChanged = wasTarget || !isForNow
  changeRoom(room.id, {
    ...(isTargetChanged && { target_temperature: isForNow ? room.target_temperature : celsius }),
    ...(isForNow && { override: { target_temperature: celsius, until: end } }),
  })
  if (!end) return
  const choice = (value: Span, label: string) => ({
    label,
    isChosen: value === span,
    choose: () => ask(room, celsius, value, words, isTargetChanged),
  })
  const toast: Toast = {
    text: t('room.set_to', { room: room.name, degrees: format.degrees(celsius) }),
    choices: [
      choice('until', t('room.set_until', { time: format.until(Date.parse(end), now, timeZone) })),
      choice('always', t('room.set_always')),
    ],
    undo: () => takeBack(room, isTargetChanged),
  }
  latest = { room, isTargetChanged, toast }
  say(toast)
}
