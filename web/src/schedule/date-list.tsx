import { MOST_DATES, type ProgrammeDate, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import { serviceNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Section } from '../ui/basics.tsx'
import { DateField } from '../ui/date-field.tsx'
import { atMsOf, dayPlus, monthPlus } from '../ui/dates.ts'
import { localTimeOf } from '../ui/local-time.ts'
import { Picker } from '../ui/picker.tsx'

/** So far ahead a holiday is entered. */
const MOST_MONTHS = 24

interface Props {
  dates: ProgrammeDate[]
  timeZone: string
  onChange(dates: ProgrammeDate[]): void
}

/** Single dates that follow another weekday's plan, such as holidays. */
export function DateList({ dates, timeZone, onChange }: Props) {
  const { t, format } = useWords()
  const set = (i: number, change: Partial<ProgrammeDate>) =>
    onChange(dates.map((each, k) => (k === i ? { ...each, ...change } : each)))
  // The next day that is not in the list.
  const free = () => {
    let day = today
    while (dates.some(({ date }) => date === day)) day = dayPlus(day, 1)
    return day
  }
  const today = localTimeOf(serviceNow(), timeZone).slice(0, 10)
  return (
    <Section title={t('programme.dates')}>
      <p className="text-sm text-soft">{t('programme.dates_hint')}</p>
      <ul className="space-y-3">
        {dates.map(({ date, follows }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a date is being edited
          <li key={i} className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <DateField
                label={t('programme.date')}
                value={date}
                min={date < today ? date : today}
                max={monthPlus(today, MOST_MONTHS)}
                taken={dates.filter((_, k) => k !== i).map((other) => other.date)}
                onChange={(next) => set(i, { date: next })}
              />
            </div>
            <div className="min-w-0 flex-1">
              <Picker<Weekday>
                label={t('programme.follows')}
                value={follows}
                choices={WEEKDAYS.map((value) => ({ value, label: t(`weekday.${value}`) }))}
                onChange={(next) => set(i, { follows: next })}
              />
            </div>
            <Button
              aria-label={t('programme.remove_date', { date: format.longDate(atMsOf(date)) })}
              onClick={() => onChange(dates.filter((_, k) => k !== i))}
            >
              {t('notify.remove')}
            </Button>
          </li>
        ))}
      </ul>
      <Button
        icon="plus"
        disabled={dates.length >= MOST_DATES}
        onClick={() => onChange([...dates, { date: free(), follows: 'sunday' }])}
      >
        {t('programme.add_date')}
      </Button>
    </Section>
  )
}
