import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { atMsOf, dayPlus, monthPlus, weekOf, weeksOfMonth } from './dates.ts'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  value: string
  /** The first and the last day that can be chosen. */
  min: string
  max: string
  /** Days in between that cannot. */
  taken?: string[] | undefined
  onChoose(date: string): void
}

/** A month at a time, in weeks from Monday. One day has the focus; the arrow keys move it. */
export function Calendar({ value, min, max, taken = [], onChoose }: Props) {
  const { t, format } = useWords()
  const within = (date: string) => (date < min ? min : date > max ? max : date)
  const [current, setCurrent] = useState(() => within(value))
  const isByKey = useRef(true)
  const day = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button of another day is there after it has changed
  useEffect(() => {
    if (isByKey.current) day.current?.focus()
  }, [current])
  const show = (date: string, byKey: boolean) => {
    isByKey.current = byKey
    setCurrent(within(date))
  }
  const turn = (event: KeyboardEvent) => {
    const next = movedBy(event.key, current)
    if (next === undefined) return
    event.preventDefault()
    show(next, true)
  }
  const month = (by: 1 | -1) => {
    const next = monthPlus(current, by)
    const isOut = by < 0 ? next.slice(0, 7) < min.slice(0, 7) : next.slice(0, 7) > max.slice(0, 7)
    const [icon, label] = by < 0 ? (['back', 'calendar.before'] as const) : (['next', 'calendar.after'] as const)
    return <Turn icon={icon} label={t(label)} isDisabled={isOut} onTurn={() => show(next, false)} />
  }
  return (
    <div>
      <div className="flex items-center justify-between">
        {month(-1)}
        <p aria-live="polite" className="font-medium">
          {format.monthYear(atMsOf(current))}
        </p>
        {month(1)}
      </div>
      <table className="w-full table-fixed border-separate border-spacing-0.5 text-center tabular-nums">
        <thead>
          <tr>
            {weekOf(current).map((date) => (
              <th key={date} scope="col" className="h-8 text-sm font-normal text-soft">
                {format.dayOfWeek(atMsOf(date))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={turn}>
          {weeksOfMonth(current).map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date} className="p-0">
                  {date.slice(0, 7) === current.slice(0, 7) && (
                    <button
                      ref={date === current ? day : undefined}
                      type="button"
                      tabIndex={date === current ? 0 : -1}
                      aria-label={format.fullDate(atMsOf(date))}
                      aria-current={date === value ? 'date' : undefined}
                      disabled={date !== within(date)}
                      aria-disabled={taken.includes(date) || undefined}
                      className="h-11 w-full rounded-xl hover:bg-sunken disabled:text-faint disabled:hover:bg-transparent aria-disabled:text-faint aria-disabled:line-through aria-[current]:bg-accent aria-[current]:font-semibold aria-[current]:text-on-accent"
                      onClick={() => !taken.includes(date) && onChoose(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where a key leads from a day; undefined for other keys. */
function movedBy(key: string, date: string): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return dayPlus(date, -1)
    case 'ArrowRight':
      return dayPlus(date, 1)
    case 'ArrowUp':
      return dayPlus(date, -7)
    case 'ArrowDown':
      return dayPlus(date, 7)
    case 'Home':
      return weekOf(date)[0]
    case 'End':
      return weekOf(date)[6]
    case 'PageUp':
      return monthPlus(date, -1)
    case 'PageDown':
      return monthPlus(date, 1)
    default:
      return undefined
  }
}

function Turn(props: { icon: IconName; label: string; isDisabled: boolean; onTurn(): void }) {
  return (
    <button
      type="button"
      aria-label={props.label}
      disabled={props.isDisabled}
      className="flex size-11 items-center justify-center rounded-xl hover:bg-sunken disabled:opacity-30"
      onClick={props.onTurn}
    >
      <Icon name={props.icon} />
    </button>
  )
}
