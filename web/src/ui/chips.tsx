import { type ReactNode, useId } from 'react'
import type { Choice } from './controls.tsx'

interface Props<T extends string> {
  label: string
  hint?: ReactNode
  /** Of the value in the form; one of its own where nothing reads the form. */
  name?: string
  value: T
  choices: Choice<T>[]
  onChange(value: T): void
}

/** One of several, all to be seen, in as many lines as they need: a group of radio buttons. */
export function Chips<T extends string>({ label, hint, name, value, choices, onChange }: Props<T>) {
  const id = useId()
  return (
    <fieldset aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label key={choice.value} className="chip">
            <input
              type="radio"
              name={name ?? id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
          {hint}
        </p>
      )}
    </fieldset>
  )
}
