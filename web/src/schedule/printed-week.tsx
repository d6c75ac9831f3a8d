import { type Programme, WEEKDAYS } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { blocksOf, clockOf } from './blocks.ts'

/** The week in words, on paper only: for the door of a cupboard. */
export function PrintedWeek({ programme, targetC }: { programme: Programme; targetC: number }) {
  const { t, format } = useWords()
  return (
    <dl className="hidden grid-cols-[auto_1fr] gap-x-6 gap-y-1 print:grid">
      {WEEKDAYS.map((day) => (
        <div key={day} className="contents">
          <dt className="font-medium first-letter:uppercase">{t(`weekday.${day}`)}</dt>
          <dd>
            {blocksOf(programme, day)
              .map(({ fromMin, setback }) => `${clockOf(fromMin)} ${format.degrees(targetC - setback)}°`)
              .join(' · ')}
          </dd>
        </div>
      ))}
    </dl>
  )
}
