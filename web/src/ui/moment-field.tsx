import { useWords } from '../i18n/index.tsx'
import { DateField } from './date-field.tsx'
import { dayPlus } from './dates.ts'
import { TimeField } from './time-field.tsx'

const MOST_DAYS = 365

interface Props {
  label: string
  /** By the clocks of the building: 2026-11-20T18:00. */
  value: string
  /** It has to be later than this. */
  after: string
  onChange(localTime: string): void
}

/** A day and a time ahead. */
export function MomentField({ label, value, after, onChange }: Props) {
  const { t } = useWords()
  const [date = '', clock = ''] = value.split('T')
  const today = after.slice(0, 10)
  return (
    <fieldset className="grid grid-cols-[3fr_2fr] gap-2">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <DateField
        label={t('moment.day')}
        value={date}
        min={today}
        max={dayPlus(today, MOST_DAYS)}
        onChange={(next) => onChange(`${next}T${clock}`)}
      />
      <TimeField
        label={t('moment.time')}
        value={clock}
        complaint={value > after ? undefined : t('invalid.time')}
        onChange={(next) => onChange(`${date}T${next}`)}
      />
    </fieldset>
  )
}
