import type { AppRoom, RoomOverride } from '@hypocaust/domain'
import { changeRoom, takeBack } from '../api/room-changes.ts'
import type { WordingNow } from '../i18n/formats.ts'
import { type End, usualReturns } from '../schedule/ends.ts'
import { overrideInWords } from '../schedule/override-words.ts'
import { isShown, say, type Toast } from '../ui/toast.tsx'
import { setpointOf } from './words.ts'

/** How long a new setpoint holds: until its end, or from now on. */
type Span = 'until' | 'always'

interface Asked {
  /** As it was before. */
  room: AppRoom
  celsius: number
  /** Until when a change for now holds. */
  end: string
  /** The target was changed by an earlier choice, which this one replaces. */
  isTargetChanged: boolean
}

/** Null where nothing changes the setpoint by itself. */
const endOf = ({ override, schedule }: AppRoom): string | null => override?.until ?? schedule.until

/** Where nothing ends it, the evening is what people mean. */
const soonestReturn = ({ now, timeZone }: WordingNow): string =>
  new Date((usualReturns(now, timeZone)[0] as End).atMs).toISOString()

/** The comfort temperature is changed from now on; what a programme, an absence or an override made of it, until its end. */
const usualSpan = (room: AppRoom): Span => (room.schedule.reason === 'target' || !endOf(room) ? 'always' : 'until')

/** What can be undone. */
let latest: (Asked & { toast: Toast }) | undefined

/** Changes what acts now. How long it holds is said, and can be chosen afterwards. Several taps are undone together. */
export function changeSetpoint(room: AppRoom, celsius: number, words: WordingNow): void {
  if (celsius === setpointOf(room)) return
  const before = latest?.room.id === room.id && isShown(latest.toast) ? latest : { room, isTargetChanged: false }
  ask({ ...before, celsius, end: endOf(before.room) ?? soonestReturn(words) }, usualSpan(before.room), words)
}

/** Of a room whose temperature has just been set for a while: until when, and that it can hold from now on. */
export function saySetpointSet(room: AppRoom, celsius: number, end: string, words: WordingNow): void {
  offer({ room, celsius, end, isTargetChanged: false }, 'until', words)
}

function ask(asked: Asked, span: Span, words: WordingNow): void {
  const { room, celsius, end } = asked
  const isForNow = span === 'until'
  const isTargetChanged = asked.isTargetChanged || !isForNow
  changeRoom(room.id, {
    ...(isTargetChanged && { target_temperature: isForNow ? room.target_temperature : celsius }),
    ...(isForNow && { override: { target_temperature: celsius, until: end } }),
  })
  offer({ ...asked, isTargetChanged }, span, words)
}

/** Says what was set and until when, with the other span to choose. */
function offer(asked: Asked, span: Span, words: WordingNow): void {
  const { room, celsius, end, isTargetChanged } = asked
  const { t, format, now, timeZone } = words
  const other: Span = span === 'until' ? 'always' : 'until'
  const otherLabel =
    other === 'always'
      ? t('room.set_always')
      : t('room.set_until', { time: format.until(Date.parse(end), now, timeZone) })
  const toast: Toast = {
    text:
      span === 'until'
        ? overrideSet(room.name, { target_temperature: celsius, until: end }, words)
        : t('room.set_from_now_on', { room: room.name, degrees: format.degrees(celsius) }),
    other: { label: otherLabel, choose: () => ask(asked, other, words) },
    undo: () => takeBack(room, isTargetChanged),
  }
  latest = { ...asked, toast }
  say(toast)
}

/** That a room, or all of a building, has changed: to what, and until when. */
export const overrideSet = (name: string, override: RoomOverride, words: WordingNow): string =>
  words.t('override.is_set', { room: name, change: overrideInWords(override, words) })
