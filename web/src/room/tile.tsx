import type { AppRoom } from '@hypocaust/domain'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useNow } from '../api/now.ts'
import { useRoomChange, wished } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { useProblemText } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/toast.tsx'
import { ChangeState } from './change-state.tsx'
import { iconOf, RoomPicture } from './picture.tsx'
import { scheduleInWords } from './schedule-words.ts'
import { Sparkline } from './sparkline.tsx'
import { steer } from './steer.ts'
import { TargetNumber, TargetStepper } from './stepper.tsx'
import { doing, modeOf, readingAge, setpointOf, type Warning, warnings } from './words.ts'

/** A room at a glance: how warm, how warm it shall be, what the floor is doing, and what needs a look. */
interface Props {
  room: AppRoom
  timeZone: string
  trend: (number | null)[] | undefined
  isChosen?: boolean
}

export function RoomTile(props: Props) {
  const { t, format } = useWords()
  const now = useNow()
  const problemText = useProblemText()
  const change = useRoomChange(props.room.id)
  const room = wished(props.room, change)
  const age = readingAge(room, now)
  const shown = room.current_temperature ?? room.sensor?.temperature ?? null
  const isHeating = room.power > 0
  const isOff = modeOf(room) === 'off'
  const look = isHeating ? 'heating' : isOff ? 'bg-transparent' : ''
  return (
    <article
      aria-label={room.name}
      className={`card relative flex min-w-0 flex-col gap-1 p-3 sm:p-4 ${look} ${props.isChosen ? 'outline-2 outline-ink' : ''}`}
      style={{ '--power': room.power } as CSSProperties}
    >
      <h2 className="flex min-w-0 items-center gap-2 text-base font-medium">
        <RoomPicture icon={iconOf(room)} className="size-5 text-soft" />
        <Link
          to="/rooms/$roomId"
          params={{ roomId: room.id }}
          aria-current={props.isChosen ? 'true' : undefined}
          className={`block min-w-0 truncate after:absolute after:inset-0 after:rounded-[var(--radius)] ${isOff ? 'text-soft' : ''}`}
        >
          {room.name}
        </Link>
      </h2>
      <div className="flex flex-wrap items-baseline justify-between gap-x-2">
        <Degrees
          celsius={shown}
          className={`text-3xl sm:text-4xl ${isOff || (age.kind === 'old' && age.isGrey) ? 'text-faint' : ''}`}
        />
        <Goal room={room} isOff={isOff} />
      </div>
      <div className={`h-6 truncate text-sm leading-6 ${isHeating ? 'font-medium text-warm-ink' : 'text-soft'}`}>
        <StateLine room={room} timeZone={props.timeZone} isSending={change.kind === 'sending'} />
      </div>
      <div className="relative z-[1] flex min-h-11">
        {isOff ? (
          <Button
            className="w-full"
            onClick={() => steer(room, 'automatic', t, (error) => say({ text: problemText(error) }))}
            aria-label={t('room.turn_on', { room: room.name })}
          >
            {t('room.turn_on_short')}
          </Button>
        ) : (
          <TargetStepper room={room}>
            {setpointOf(room) === room.target_temperature ? (
              <Sparkline values={props.trend} />
            ) : (
              <span className="flex flex-col items-center text-xs text-soft">
                {t('room.target')}
                <TargetNumber room={room} className="-my-2.5 text-base" />
              </span>
            )}
          </TargetStepper>
        )}
      </div>
      <div className="relative z-[1] empty:hidden">
        <ChangeState roomId={room.id} />
      </div>
      <Warnings warnings={warnings(room, now, t, format)} />
    </article>
  )
}

/** In one line, whose height never changes: what counts until when, or what the floor is doing. */
function StateLine({ room, timeZone, isSending }: { room: AppRoom; timeZone: string; isSending: boolean }) {
  const { t, format } = useWords()
  const now = useNow()
  if (isSending) return t('change.sending')
  const schedule = scheduleInWords(room, { t, format, now, timeZone })
  // Off is said beside the temperature already.
  if (schedule === undefined) return modeOf(room) === 'off' && room.power === 0 ? '' : doing(room, t, format)
  return (
    // The power gives way where there is no room for both.
    <span className="flex h-6 flex-wrap justify-between gap-x-2 overflow-hidden">
      <span className="max-w-full truncate">{schedule}</span>
      {room.power > 0 && (
        <span>
          <span className="sr-only">{t('room.heat')} </span>
          {format.percent(room.power)}
        </span>
      )}
    </span>
  )
}

/** What the room is heated towards; where that is not its target, the target stands between the buttons. */
function Goal({ room, isOff }: { room: AppRoom; isOff: boolean }) {
  const { t } = useWords()
  if (isOff) return <span className="text-lg text-soft">{t('room.off')}</span>
  const setpoint = setpointOf(room)
  return (
    <span className="relative z-[1] flex items-baseline gap-1 text-lg sm:text-2xl">
      <span aria-hidden="true" className="text-faint">
        →
      </span>
      {setpoint === room.target_temperature ? (
        <TargetNumber room={room} className="-my-2.5" />
      ) : (
        <Degrees celsius={setpoint} />
      )}
    </span>
  )
}

export function Warnings({ warnings }: { warnings: Warning[] }) {
  return warnings.map(({ text, isUrgent, icon }) => (
    <p key={text} className={`flex items-center gap-1.5 text-sm ${isUrgent ? 'text-alert' : 'text-soft'}`}>
      <Icon name={icon} className="size-4" />
      {text}
    </p>
  ))
}
