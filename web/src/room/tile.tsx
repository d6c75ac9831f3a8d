import type { AppRoom } from '@hypocaust/domain'
import { steeringOf } from '@hypocaust/domain/facts'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useNow } from '../api/now.ts'
import { changeRoom, useRoomChange, wished } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { Icon } from '../ui/icon.tsx'
import { ChangeState } from './change-state.tsx'
import { Sparkline } from './sparkline.tsx'
import { TargetNumber, TargetStepper } from './stepper.tsx'
import { doing, readingAge, warnings } from './words.ts'

/** A room at a glance: how warm, how warm it shall be, what the floor is doing, and what needs a look. */
export function RoomTile(props: { room: AppRoom; trend: (number | null)[] | undefined; isChosen?: boolean }) {
  const { t, format } = useWords()
  const now = useNow()
  const room = wished(props.room, useRoomChange(props.room.id))
  const age = readingAge(room, now)
  const shown = room.current_temperature ?? room.sensor?.temperature ?? null
  const isHeating = room.power > 0
  return (
    <article
      aria-label={room.name}
      className={`card relative flex min-w-0 flex-col gap-1.5 p-3 sm:p-4 ${isHeating ? 'heating' : ''} ${props.isChosen ? 'outline-2 outline-ink' : ''}`}
      style={{ '--power': room.power } as CSSProperties}
    >
      <h2 className="min-w-0 text-base font-medium">
        <Link
          to="/rooms/$roomId"
          params={{ roomId: room.id }}
          aria-current={props.isChosen ? 'true' : undefined}
          className="block truncate after:absolute after:inset-0 after:rounded-[var(--radius)]"
        >
          {room.name}
        </Link>
      </h2>
      <div className="flex items-center justify-between gap-2">
        <Degrees
          celsius={shown}
          className={`text-4xl font-light ${age.kind === 'old' && age.isGrey ? 'text-faint' : ''}`}
        />
        <Sparkline values={props.trend} />
      </div>
      <div className="relative z-[1] flex min-h-11">
        {steeringOf(room.manual_power).kind === 'off' ? (
          <Button
            className="w-full"
            onClick={() => changeRoom(room.id, { hvac_mode: 'heat' })}
            aria-label={t('room.turn_on', { room: room.name })}
          >
            {t('room.heat')}
          </Button>
        ) : (
          <TargetStepper room={room}>
            <TargetNumber room={room} className="text-lg font-medium" />
          </TargetStepper>
        )}
      </div>
      <div className="flex flex-wrap justify-between gap-x-2">
        <p className={`text-sm leading-6 ${isHeating ? 'font-medium text-warm-ink' : 'text-soft'}`}>
          {doing(room, t, format)}
        </p>
        <div className="relative z-[1]">
          <ChangeState roomId={room.id} />
        </div>
      </div>
      {warnings(room, now, t, format).map((warning) => (
        <p key={warning} className="flex items-center gap-1.5 text-sm text-alert">
          <Icon name="warning" className="size-4" />
          {warning}
        </p>
      ))}
    </article>
  )
}
