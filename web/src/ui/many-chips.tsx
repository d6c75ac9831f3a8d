import { useId } from 'react'
import type { Choice } from './controls.tsx'

interface Props {
  label: string
  hint?: string
  /** Of the values in a form. */
  name?: string
  choices: Choice<string>[]
  chosen: string[]
  onChange(chosen: string[]): void
}

/** Any of several, all to be seen: a group of check boxes. */
export function ManyChips({ label, hint, name, choices, chosen, onChange }: Props) {
  const id = useId()
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  return (
    <fieldset aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-soft">
          {hint}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label: text }) => (
          <label key={value} className="chip">
            <input
              type="checkbox"
              name={name}
              value={value}
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
