import { MOST_DATES, type ProgrammeDate, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import { serviceNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Section } from '../ui/basics.tsx'
import { Picker } from '../ui/picker.tsx'

/** Single dates that follow another weekday's plan, such as holidays. */
export function DateList({ dates, onChange }: { dates: ProgrammeDate[]; onChange(dates: ProgrammeDate[]): void }) {
  const { t } = useWords()
  const set = (i: number, change: Partial<ProgrammeDate>) =>
    onChange(dates.map((each, k) => (k === i ? { ...each, ...change } : each)))
  const isTwice = (date: string) => dates.filter((each) => each.date === date).length > 1
  const today = new Date(serviceNow()).toISOString().slice(0, 10)
  return (
    <Section title={t('programme.dates')}>
      <p className="text-sm text-soft">{t('programme.dates_hint')}</p>
      <ul className="space-y-3">
        {dates.map(({ date, follows }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a date is being edited
          <li key={i} className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <Field
                label={t('programme.date')}
                type="date"
                required
                value={date}
                complaint={isTwice(date) ? t('programme.date_twice') : undefined}
                onChange={({ target }) => set(i, { date: target.value })}
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
              aria-label={t('programme.remove_date', { date })}
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
        onClick={() => onChange([...dates, { date: today, follows: 'sunday' }])}
      >
        {t('programme.add_date')}
      </Button>
    </Section>
  )
}
