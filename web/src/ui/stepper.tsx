import { useHold } from './hold.ts'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  label: string
  value: string
  /** What the buttons do, for those who hear them. */
  lower: string
  raise: string
  isLeast: boolean
  isMost: boolean
  onStep(direction: 1 | -1): void
}

/** A value between two buttons: no field to type into where a few taps do. */
export function Stepper({ label, value, lower, raise, isLeast, isMost, onStep }: Props) {
  return (
    <fieldset>
      <legend className="text-sm text-soft">{label}</legend>
      <div className="flex items-center justify-between rounded-xl bg-sunken">
        <Step icon="minus" label={lower} isDisabled={isLeast} onStep={() => onStep(-1)} />
        <output className="text-lg font-medium tabular-nums">{value}</output>
        <Step icon="plus" label={raise} isDisabled={isMost} onStep={() => onStep(1)} />
      </div>
    </fieldset>
  )
}

function Step({
  icon,
  label,
  isDisabled,
  onStep,
}: {
  icon: IconName
  label: string
  isDisabled: boolean
  onStep(): void
}) {
  const hold = useHold(onStep)
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isDisabled}
      {...hold}
      className="flex size-11 touch-manipulation select-none items-center justify-center rounded-xl text-soft disabled:opacity-30"
    >
      <Icon name={icon} className="size-5" />
    </button>
  )
}
