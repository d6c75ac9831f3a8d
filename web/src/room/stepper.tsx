import type { AppRoom } from '@hypocaust/domain'
import { changeRoom } from '../api/room-changes.ts'
import { useWords } from '../i18n/index.tsx'
import { Degrees } from '../ui/degrees.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'

const STEP_C = 0.5

/** One tap to raise or lower. */
export function TargetStepper({ room, isLarge = false }: { room: AppRoom; isLarge?: boolean }) {
  const { t, format } = useWords()
  const target = room.target_temperature
  const to = (celsius: number) => () =>
    changeRoom(room.id, { target_temperature: Math.min(room.max_temp, Math.max(room.min_temp, celsius)) })
  return (
    <fieldset
      className="flex w-full min-w-0 items-center justify-between"
      aria-label={t('room.target_of', { room: room.name })}
    >
      <Round
        icon="minus"
        label={t('room.lower', { room: room.name })}
        onClick={to(Math.ceil(target / STEP_C - 1) * STEP_C)}
        isDisabled={target <= room.min_temp}
      />
      <span className={`min-w-12 text-center font-medium ${isLarge ? 'text-2xl' : 'text-lg'}`}>
        <Degrees celsius={target} />
      </span>
      <Round
        icon="plus"
        label={t('room.raise', { room: room.name })}
        onClick={to(Math.floor(target / STEP_C + 1) * STEP_C)}
        isDisabled={target >= room.max_temp}
      />
      <span role="status" className="sr-only">
        {t('room.target_now', { room: room.name, degrees: format.degrees(target) })}
      </span>
    </fieldset>
  )
}

function Round(props: { icon: IconName; label: string; isDisabled: boolean; onClick(): void }) {
  return (
    <button
      type="button"
      aria-label={props.label}
      disabled={props.isDisabled}
      onClick={props.onClick}
      className="flex size-11 shrink-0 items-center justify-center rounded-full border border-edge bg-raised hover:bg-sunken disabled:opacity-40"
    >
      <Icon name={props.icon} className="size-5" />
    </button>
  )
}
