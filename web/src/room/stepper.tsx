import type { AppRoom } from '@hypocaust/domain'
import { type ReactNode, useState } from 'react'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { temperatureIn } from '../i18n/units.ts'
import { Degrees } from '../ui/degrees.tsx'
import { useHold } from '../ui/hold.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { numberIn } from '../ui/number-in.ts'
import { changeSetpoint } from './setpoint-change.ts'
import { steppedC, withinC } from './target-steps.ts'
import { setpointOf } from './words.ts'

/** One tap to raise or lower what acts now; held down it goes on. Between the buttons stands what the caller puts there. */
export function SetpointStepper({
  room,
  timeZone,
  children,
}: {
  room: AppRoom
  timeZone: string
  children?: ReactNode
}) {
  const { t, format } = useWords()
  const now = useNow()
  const setpoint = setpointOf(room)
  const by = (direction: 1 | -1) => () =>
    changeSetpoint(room, steppedC(setpoint, direction, format.unit, room), { t, format, now, timeZone })
  const [lower, raise] =
    format.unit === 'F' ? (['room.lower_f', 'room.raise_f'] as const) : (['room.lower', 'room.raise'] as const)
  const name = { room: room.name }
  return (
    <fieldset
      className="flex w-full min-w-0 items-center justify-between"
      aria-label={t('room.setpoint_of', { room: room.name })}
    >
      <Round icon="minus" label={t(lower, name)} onStep={by(-1)} isDisabled={setpoint <= room.min_temp} />
      {children}
      <Round icon="plus" label={t(raise, name)} onStep={by(1)} isDisabled={setpoint >= room.max_temp} />
      <span role="status" className="sr-only">
        {t('room.setpoint_now', { room: room.name, degrees: format.degrees(setpoint) })}
      </span>
    </fieldset>
  )
}

function Round(props: { icon: IconName; label: string; isDisabled: boolean; onStep(): void }) {
  const hold = useHold(props.onStep)
  return (
    <button
      type="button"
      aria-label={props.label}
      disabled={props.isDisabled}
      {...hold}
      className="flex size-11 shrink-0 touch-manipulation select-none items-center justify-center rounded-full border border-line bg-raised text-soft hover:bg-sunken disabled:opacity-40"
    >
      <Icon name={props.icon} className="size-5" />
    </button>
  )
}

interface NumberProps {
  room: AppRoom
  timeZone: string
  className?: string
}

/** What the room is heated towards now, as a number; a tap makes it a field. */
export function SetpointNumber({ room, timeZone, className = '' }: NumberProps) {
  const { t, format } = useWords()
  const [isTyping, setTyping] = useState(false)
  const setpoint = setpointOf(room)
  if (isTyping) return <Typed room={room} timeZone={timeZone} className={className} onDone={() => setTyping(false)} />
  return (
    <button
      type="button"
      title={t('room.type_setpoint')}
      aria-label={t('room.setpoint_now', { room: room.name, degrees: format.degrees(setpoint) })}
      onClick={() => setTyping(true)}
      className={`min-h-11 min-w-11 rounded-xl ${className}`}
    >
      <Degrees celsius={setpoint} />
    </button>
  )
}

function Typed({ room, timeZone, className = '', onDone }: NumberProps & { onDone(): void }) {
  const { t, format } = useWords()
  const now = useNow()
  const { shown, stored } = temperatureIn(format.unit)
  const [text, setText] = useState(format.input(Math.round(shown(setpointOf(room)) * 10) / 10))
  const commit = () => {
    const typed = numberIn(text)
    const celsius = typed === undefined ? undefined : withinC(stored(typed), room)
    if (celsius !== undefined) changeSetpoint(room, celsius, { t, format, now, timeZone })
    onDone()
  }
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that had the focus
      autoFocus
      aria-label={t('room.setpoint_of', { room: room.name })}
      inputMode="decimal"
      autoComplete="off"
      size={4}
      value={text}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ target }) => setText(target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit()
        if (key === 'Escape') onDone()
      }}
      className={`h-11 w-20 rounded-xl border border-edge bg-raised text-center tabular-nums ${className}`}
    />
  )
}
