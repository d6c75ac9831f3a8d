import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Field } from '../ui/basics.tsx'
import { numberIn } from '../ui/number-in.ts'

interface Props {
  label: string
  hint?: string
  limits: { minimum: number; maximum: number }
  value: number
  onChange(value: number): void
}

/** An amount of money or a factor; decimal sign by the language. */
export function AmountField(props: Props) {
  return <Typed {...props} isRequired onChange={(value) => value !== undefined && props.onChange(value)} />
}

/** The same for a figure that may stay unknown. */
export function OptionalAmountField(
  props: Omit<Props, 'value' | 'onChange'> & { value: number | undefined; onChange(value: number | undefined): void },
) {
  return <Typed {...props} isRequired={false} />
}

interface TypedProps extends Omit<Props, 'value' | 'onChange'> {
  isRequired: boolean
  value: number | undefined
  onChange(value: number | undefined): void
}

function Typed({ label, hint, limits: { minimum, maximum }, isRequired, value, onChange }: TypedProps) {
  const { t, format } = useWords()
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? (value === undefined ? '' : format.amount(value))
  const amount = numberIn(shown)
  const isFine = shown === '' ? !isRequired : amount !== undefined && amount >= minimum && amount <= maximum
  return (
    <Field
      label={label}
      {...(hint && { hint })}
      inputMode="decimal"
      autoComplete="off"
      required={isRequired}
      value={shown}
      complaint={isFine ? undefined : t('invalid.range', { min: format.amount(minimum), max: format.amount(maximum) })}
      onChange={({ target }) => {
        setTyped(target.value)
        const next = numberIn(target.value)
        if (next !== undefined || target.value === '') onChange(next)
      }}
    />
  )
}
