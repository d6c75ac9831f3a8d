import { type KeyboardEvent, useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { AS_IS, differenceIn, type Scale, temperatureIn } from '../i18n/units.ts'
import { Field } from './basics.tsx'
import { useHold } from './hold.ts'
import { Icon, type IconName } from './icon.tsx'
import { numberIn } from './number-in.ts'

interface Props {
  label: string
  hint?: string
  value: number
  min: number
  max: number
  step: number
  onChange(value: number): void
}

/** A temperature in the chosen unit. */
export function DegreesField(props: Props) {
  return <NumberField {...props} scale={temperatureIn(useWords().format.unit)} />
}

/** A difference of temperatures in the chosen unit. */
export function KelvinField(props: Props) {
  return <NumberField {...props} scale={differenceIn(useWords().format.unit)} />
}

/** A number of anything else, such as people. */
export function CountField(props: Props) {
  return <NumberField {...props} scale={AS_IS} />
}

/** Decimal sign and complaints follow the chosen language, not the browser's as in a field of type number. */
function NumberField({ label, hint, value, min, max, step, scale, onChange }: Props & { scale: Scale }) {
  const { t, format } = useWords()
  const [typed, setTyped] = useState<string>()
  const number = (shown: number) => Math.round(shown * 10) / 10
  const [low, high] = [number(scale.shown(min)), number(scale.shown(max))]
  const range = t('invalid.range', { min: format.input(low), max: format.input(high) })
  const take = (field: HTMLInputElement, text: string) => {
    setTyped(text)
    const shown = numberIn(text)
    const isWithin = shown !== undefined && shown >= low && shown <= high
    field.setCustomValidity(isWithin || text === '' ? '' : range)
    if (isWithin) onChange(Math.min(max, Math.max(min, scale.stored(shown))))
  }
  const shown = number(scale.shown(value))
  const stepped = (by: number) => Math.min(high, Math.max(low, number(shown + by)))
  const turn = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = event.key === 'ArrowUp' ? step : event.key === 'ArrowDown' ? -step : 0
    if (by === 0) return
    event.preventDefault()
    take(event.currentTarget, format.input(stepped(by)))
  }
  const press = (by: number) => {
    setTyped(undefined)
    onChange(Math.min(max, Math.max(min, scale.stored(stepped(by)))))
  }
  return (
    <Field
      label={label}
      {...(hint && { hint })}
      role="spinbutton"
      inputMode="decimal"
      autoComplete="off"
      required
      aria-valuenow={shown}
      aria-valuemin={low}
      aria-valuemax={high}
      aria-valuetext={format.input(shown)}
      value={typed ?? format.input(shown)}
      onInput={(event) => take(event.currentTarget, event.currentTarget.value)}
      onChange={() => undefined}
      onBlur={({ currentTarget }) => currentTarget.validity.valid && setTyped(undefined)}
      onKeyDown={turn}
      steps={{
        less: <StepButton icon="minus" isDisabled={shown <= low} onStep={() => press(-step)} />,
        more: <StepButton icon="plus" isDisabled={shown >= high} onStep={() => press(step)} />,
      }}
    />
  )
}

/** For finger and mouse; the arrow keys do the same in the field. */
function StepButton({ icon, isDisabled, onStep }: { icon: IconName; isDisabled: boolean; onStep(): void }) {
  const hold = useHold(onStep)
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      disabled={isDisabled}
      {...hold}
      className="flex size-11 touch-manipulation items-center justify-center rounded-xl text-soft select-none hover:bg-sunken disabled:opacity-30"
    >
      <Icon name={icon} className="size-5" />
    </button>
  )
}
