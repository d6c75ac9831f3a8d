import { type Programme, SETBACK_K, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { MINUTES_A_DAY, segmentsOf } from './week.ts'

interface Props {
  programme: Programme
  targetC: number
  chosen: Weekday
  onChoose(day: Weekday): void
}

/** The week at a glance; a day is chosen to edit it. */
export function WeekStrips({ programme, targetC, chosen, onChoose }: Props) {
  const { t, format } = useWords()
  return (
    <fieldset className="card min-w-0 space-y-1 p-3">
      <legend className="sr-only">{t('programme.day')}</legend>
      {WEEKDAYS.map((day) => {
        const segments = segmentsOf(programme, day)
        const text = segments.map(({ fromMin, setback }) => `${clockOf(fromMin)} ${format.degrees(targetC - setback)}°`)
        return (
          <label
            key={day}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-2 has-checked:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="day"
              className="sr-only"
              checked={day === chosen}
              onChange={() => onChoose(day)}
              aria-label={`${t(`weekday.${day}`)}: ${text.join(', ')}`}
            />
            <span aria-hidden="true" className={`w-10 ${day === chosen ? 'font-semibold' : 'text-soft'}`}>
              {t(`weekday.${day}`).slice(0, 2)}
            </span>
            <DayStrip segments={segments} />
          </label>
        )
      })}
    </fieldset>
  )
}

const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** As high as the room shall be warm. */
function DayStrip({ segments }: { segments: ReturnType<typeof segmentsOf> }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${MINUTES_A_DAY} 24`}
      preserveAspectRatio="none"
      className="h-7 w-0 min-w-0 flex-1 rounded bg-sunken"
    >
      {segments.map(({ fromMin, toMin, setback }) => {
        const tall = 22 - (Math.min(setback, SETBACK_K.maximum / 2) / (SETBACK_K.maximum / 2)) * 18
        return (
          <rect
            key={fromMin}
            x={fromMin}
            y={24 - tall}
            width={toMin - fromMin}
            height={tall}
            fill={setback === 0 ? 'var(--warm)' : 'var(--edge)'}
            opacity={setback === 0 ? 0.75 : 0.5}
          />
        )
      })}
    </svg>
  )
}
