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
    <fieldset className="min-w-0" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label key={choice.value} className="relative max-w-full cursor-pointer">
            <input
              type="radio"
              className="peer absolute inset-0 cursor-pointer opacity-0"
              name={name ?? id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className="flex min-h-11 items-center break-words rounded-xl border border-edge bg-raised px-3 peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus">
              {choice.label}
            </span>
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
