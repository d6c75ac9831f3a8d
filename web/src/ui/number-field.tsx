import { Field } from './basics.tsx'

interface Props {
  label: string
  hint?: string
  value: number
  min: number
  max: number
  step: number
  onChange(value: number): void
}

export function NumberField({ onChange, ...rest }: Props) {
  return (
    <Field
      type="number"
      inputMode="decimal"
      required
      {...rest}
      onChange={(event) => event.target.value !== '' && onChange(event.target.valueAsNumber)}
    />
  )
}
