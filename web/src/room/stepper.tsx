import type { AppRoom } from '@hypocaust/domain'
import { type ReactNode, useState } from 'react'
import { changeRoom } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { temperatureIn } from '../i18n/units.ts'
import { Degrees } from '../ui/degrees.tsx'
import { useHold } from '../ui/hold.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { numberIn } from '../ui/number-in.ts'
import { steppedC, withinC } from './target-steps.ts'

/** One tap to raise or lower; held down it goes on. Between the buttons stands what the caller puts there. */
export function TargetStepper({ room, children }: { room: AppRoom; children: ReactNode }) {
  const { t, format } = useWords()
  const target = room.target_temperature
  const by = (direction: 1 | -1) => () =>
    changeRoom(room.id, { target_temperature: steppedC(target, direction, format.unit, room) })
  const [lower, raise] =
    format.unit === 'F' ? (['room.lower_f', 'room.raise_f'] as const) : (['room.lower', 'room.raise'] as const)
  const name = { room: room.name }
  return (
    <fieldset
      className="flex w-full min-w-0 items-center justify-between"
      aria-label={t('room.target_of', { room: room.name })}
    >
      <Round icon="minus" label={t(lower, name)} onStep={by(-1)} isDisabled={target <= room.min_temp} />
      {children}
      <Round icon="plus" label={t(raise, name)} onStep={by(1)} isDisabled={target >= room.max_temp} />
      <span role="status" className="sr-only">
        {t('room.target_now', { room: room.name, degrees: format.degrees(target) })}
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

/** The target as a number; a tap makes it a field. */
export function TargetNumber({ room, className = '' }: { room: AppRoom; className?: string }) {
  const { t, format } = useWords()
  const [isTyping, setTyping] = useState(false)
  if (isTyping) return <TypedTarget room={room} className={className} onDone={() => setTyping(false)} />
  return (
    <button
      type="button"
      title={t('room.type_target')}
      aria-label={t('room.target_now', { room: room.name, degrees: format.degrees(room.target_temperature) })}
      onClick={() => setTyping(true)}
      className={`min-h-11 min-w-11 rounded-xl ${className}`}
    >
      <Degrees celsius={room.target_temperature} />
    </button>
  )
}

function TypedTarget({ room, className, onDone }: { room: AppRoom; className: string; onDone(): void }) {
  const { t, format } = useWords()
  const { shown, stored } = temperatureIn(format.unit)
  const [text, setText] = useState(format.input(Math.round(shown(room.target_temperature) * 10) / 10))
  const commit = () => {
    const typed = numberIn(text)
    const celsius = typed === undefined ? undefined : withinC(stored(typed), room)
    if (celsius !== undefined && celsius !== room.target_temperature) {
      changeRoom(room.id, { target_temperature: celsius })
    }
    onDone()
  }
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that had the focus
      autoFocus
      aria-label={t('room.target_of', { room: room.name })}
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
