import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Field } from './basics.tsx'
import { clockIn, clockPlus } from './clock-in.ts'

const STEP_MIN = 15
const STEPS: Record<string, number> = { ArrowUp: STEP_MIN, ArrowDown: -STEP_MIN }

interface Props {
  label: string
  value: string
  complaint?: string | undefined
  onChange(clock: string): void
}

/** With 24 hours in every browser: a field of type time follows the browser's language, not the chosen one. */
export function TimeField({ label, value, complaint, onChange }: Props) {
  const { t } = useWords()
  const [typed, setTyped] = useState<string>()
  const isTime = typed === undefined || clockIn(typed) !== undefined
  const take = (text: string) => {
    setTyped(text)
    const clock = clockIn(text)
    if (clock !== undefined) onChange(clock)
  }
  return (
    <Field
      label={label}
      inputMode="numeric"
      autoComplete="off"
      required
      maxLength={5}
      value={typed ?? value}
      complaint={isTime ? complaint : t('invalid.clock')}
      onChange={({ target }) => take(target.value)}
      onBlur={() => isTime && setTyped(undefined)}
      onKeyDown={(event) => {
        const by = STEPS[event.key]
        if (by === undefined) return
        event.preventDefault()
        setTyped(undefined)
        onChange(clockPlus(value, by))
      }}
    />
  )
}
