import type { AppOutlook, AppRoom } from '@hypocaust/domain'
import type { CSSProperties } from 'react'
import { useNow } from '../api/now.ts'
import { useRoomChange, withChange } from '../api/room-changes.ts'
import type { WordingNow } from '../i18n/formats.ts'
import { useWords } from '../i18n/index.tsx'
import { Link } from '../routing/link.tsx'
import { Button } from '../ui/basics.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { useProblemText } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/toast.tsx'
import { actsInWords } from './acts-words.ts'
import { blindsInWords } from './blinds-words.ts'
import { ChangeState } from './change-state.tsx'
import { outlookInWords } from './outlook-words.ts'
import { iconOf, RoomPicture } from './picture.tsx'
import { promiseInWords } from './promise-words.ts'
import { shownC } from './sensors.ts'
import { steer } from './steer.ts'
import { SetpointNumber, SetpointStepper } from './stepper.tsx'
import { modeOf, readingAge, type Warning, warnings } from './words.ts'

interface Props {
  room: AppRoom
  timeZone: string
  outlook: AppOutlook | undefined
  isChosen?: boolean
}

/** A room at a glance: how warm it is, what acts now, the one promise, and what needs a look. */
export function RoomTile(props: Props) {
  const { t, format } = useWords()
  const now = useNow()
  const change = useRoomChange(props.room.id)
  const room = withChange(props.room, change)
  const age = readingAge(room, now)
  const shown = shownC(room)
  const blinds = blindsInWords(room, props.outlook?.blinds, { t, format, now, timeZone: props.timeZone })
  const isHeating = room.power > 0
  const isOff = modeOf(room) === 'off' && !room.only_watch
  const look = isHeating && !room.cools ? 'heating' : isOff ? 'bg-transparent' : ''
  return (
    <article
      aria-label={room.name}
      className={`tile card relative flex min-w-0 flex-col p-3 sm:p-4 ${look} ${props.isChosen ? 'outline-2 outline-ink' : ''}`}
      style={{ '--power': room.power } as CSSProperties}
    >
      <h2 className="flex min-w-0 items-center gap-2 font-medium">
        <RoomPicture icon={iconOf(room)} className="size-5 text-soft" />
        <Link
          to="/rooms/$roomId"
          params={{ roomId: room.id }}
          aria-current={props.isChosen ? 'true' : undefined}
          className={`block min-w-0 flex-1 truncate after:absolute after:inset-0 after:rounded-[var(--radius)] ${isOff ? 'text-soft' : ''}`}
        >
          {room.name}
        </Link>
      </h2>
      <div className="mt-2 flex items-baseline justify-between gap-2">
        <Degrees
          celsius={shown}
          className={`text-4xl leading-none sm:text-5xl ${isOff || (age.kind === 'old' && age.isGrey) ? 'text-faint' : ''}`}
        />
        {isHeating && (
          <span className={`text-sm font-semibold tabular-nums ${room.cools ? '' : 'text-warm-ink'}`}>
            <span className="sr-only">{t(room.cools ? 'room.coolness' : 'room.heat')} </span>
            {format.percent(room.power)}
          </span>
        )}
      </div>
      <Lines room={room} timeZone={props.timeZone} outlook={props.outlook} isSending={change.kind === 'sending'} />
      <div className="relative z-[1] mt-auto flex min-h-11">
        <Buttons room={room} timeZone={props.timeZone} />
      </div>
      <div className="relative z-[1] empty:hidden">
        <ChangeState roomId={room.id} />
      </div>
      <Warnings
        warnings={[
          ...(blinds ? [{ text: blinds.short, isUrgent: false, icon: 'sun' as const }] : []),
          ...warnings(room, now, t, format),
        ]}
      />
    </article>
  )
}

interface LinesProps extends Omit<Props, 'isChosen'> {
  isSending: boolean
}

/** What acts now, and what is promised: their heights never change. */
function Lines({ room, timeZone, outlook, isSending }: LinesProps) {
  const { t, format } = useWords()
  const words = { t, format, now: useNow(), timeZone }
  const acts = actsInWords(room, words)
  const promise = outlook && linePromised(room, acts.isTemperature, outlook, words)
  return (
    <div className="mt-2 mb-2.5 text-sm leading-5">
      <div className="flex h-6 min-w-0 items-center gap-1.5 text-soft">
        <span className="truncate">{acts.name}</span>
        {acts.isTemperature && (
          <SetpointNumber
            room={room}
            timeZone={timeZone}
            className="relative z-[1] -my-3 min-w-0! text-left font-medium text-ink"
          />
        )}
      </div>
      <p className="line-clamp-2 h-10 sm:line-clamp-1 sm:h-5" title={promise}>
        {isSending ? t('change.sending') : promise}
      </p>
    </div>
  )
}

/** Of a room that is cooled, what it does; of one that is heated, what is promised. */
function linePromised(room: AppRoom, isHeatedTo: boolean, outlook: AppOutlook, words: WordingNow): string | undefined {
  if (room.cools) return outlookInWords(outlook, room, words)[0]
  return isHeatedTo ? (trouble(outlook, words.t) ?? promiseInWords(outlook, words)) : undefined
}

/** Where the control does not get the room warm, that is said instead of a promise. */
function trouble({ activity, reach, why_not }: AppOutlook, t: ReturnType<typeof useWords>['t']): string | undefined {
  switch (activity) {
    case 'no_valve':
    case 'no_gateway':
    case 'gateway_lost':
    case 'open_window':
    case 'grid_lock':
    case 'no_reading':
    case 'learned_power':
      return t(`trouble.${activity}`)
    default:
      return reach === 'no' && why_not === 'too-little-heat' ? t('trouble.too-little-heat') : undefined
  }
}

/** Nothing that would have no effect: a room that another has in hand has no buttons. */
function Buttons({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t } = useWords()
  const problemText = useProblemText()
  const mode = modeOf(room)
  if (room.only_watch || room.loops_held) return null
  // The setpoint is that of heating; what the room is cooled to is a setting of the room.
  if (mode === 'automatic' && room.cools) return null
  if (mode === 'automatic') return <SetpointStepper room={room} timeZone={timeZone} />
  const isOff = mode === 'off'
  return (
    <Button
      className="w-full"
      onClick={() => steer(room, 'automatic', t, (error) => say({ text: problemText(error) }))}
      aria-label={t(isOff ? 'room.turn_on' : 'room.end_manual', { room: room.name })}
    >
      {t(isOff ? 'room.turn_on_short' : 'room.end_manual_short')}
    </Button>
  )
}

export function Warnings({ warnings }: { warnings: Warning[] }) {
  return warnings.map(({ text, isUrgent, icon }) => (
    <p
      key={text}
      className={`mt-1.5 flex items-center gap-1.5 text-sm leading-5 ${isUrgent ? 'text-alert' : 'text-soft'}`}
    >
      <Icon name={icon} className="size-4" />
      {text}
    </p>
  ))
}
