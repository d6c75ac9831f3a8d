import * as RadixSlider from '@radix-ui/react-slider'
import * as RadixSwitch from '@radix-ui/react-switch'
import * as ToggleGroup from '@radix-ui/react-toggle-group'
import { type ReactNode, useId } from 'react'

export interface Choice<T extends string> {
  value: T
  label: string
}

/** One of a few, all visible. */
export function Segmented<T extends string>(props: {
  label: string
  value: T | undefined
  choices: Choice<T>[]
  onChange(value: T): void
}) {
  const { label, value, choices, onChange } = props
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value ?? ''}
      onValueChange={(next) => next !== '' && onChange(next as T)}
      className="flex w-full rounded-xl border border-edge bg-sunken p-0.5"
    >
      {choices.map((choice) => (
        <ToggleGroup.Item
          key={choice.value}
          value={choice.value}
          className="min-h-11 min-w-min flex-1 rounded-[10px] px-1 text-sm leading-tight sm:text-base text-soft data-[state=on]:bg-chosen data-[state=on]:font-semibold data-[state=on]:text-ink data-[state=on]:shadow-sm"
        >
          {choice.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}

export function Switch(props: { label: ReactNode; hint?: string; checked: boolean; onChange(checked: boolean): void }) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="block font-medium">
          {props.label}
        </label>
        {props.hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {props.hint}
          </p>
        )}
      </div>
      <RadixSwitch.Root
        id={id}
        checked={props.checked}
        onCheckedChange={props.onChange}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        className="group flex h-11 w-14 shrink-0 items-center rounded-full"
      >
        <span className="flex h-8 w-full items-center rounded-full border border-edge bg-sunken px-1 group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent">
          <RadixSwitch.Thumb className="size-6 rounded-full bg-edge transition-transform duration-150 motion-reduce:transition-none data-[state=checked]:translate-x-5.5 data-[state=checked]:bg-on-accent" />
        </span>
      </RadixSwitch.Root>
    </div>
  )
}

export function Slider(props: {
  label: string
  value: number
  max: number
  step: number
  text: string
  onChange(value: number): void
}) {
  return (
    <RadixSlider.Root
      value={[props.value]}
      min={0}
      max={props.max}
      step={props.step}
      onValueChange={([value]) => value !== undefined && props.onChange(value)}
      className="relative flex h-11 w-full touch-none select-none items-center"
    >
      <RadixSlider.Track className="relative h-2 grow rounded-full border border-edge bg-sunken">
        <RadixSlider.Range className="absolute h-full rounded-full bg-warm" />
      </RadixSlider.Track>
      <RadixSlider.Thumb
        aria-label={props.label}
        aria-valuetext={props.text}
        className="block size-7 rounded-full border-2 border-ink bg-raised shadow"
      />
    </RadixSlider.Root>
  )
}
