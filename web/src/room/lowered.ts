import { DAY_S, type Programme, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import { localTimeOf, momentOf } from '../ui/local-time.ts'
import { inOrder, stepsOf } from '../wishes/week.ts'

export interface Lowered {
  fromS: number
  toS: number
}

/** A step of the day before the span may hold at its beginning, and so may one of a week before. */
const BEFORE_S = 8 * DAY_S

/** When a programme lowers the setpoint within a span, by the building's clock. */
export function loweredIn(programme: Programme, fromS: number, toS: number, timeZone: string): Lowered[] {
  const spans: Lowered[] = []
  let sinceS: number | undefined
  for (const { atS, setback } of stepsWithin(programme, fromS - BEFORE_S, toS, timeZone)) {
    if (setback > 0) sinceS ??= atS
    else if (sinceS !== undefined) {
      spans.push({ fromS: sinceS, toS: atS })
      sinceS = undefined
    }
  }
  if (sinceS !== undefined) spans.push({ fromS: sinceS, toS })
  return spans
    .map((span) => ({ fromS: Math.max(fromS, span.fromS), toS: Math.min(toS, span.toS) }))
    .filter((span) => span.toS > span.fromS)
}

function stepsWithin(programme: Programme, fromS: number, toS: number, timeZone: string) {
  const steps: { atS: number; setback: number }[] = []
  for (let date = dateAt(fromS, timeZone); date <= dateAt(toS, timeZone); date = dayAfter(date)) {
    for (const { at, setback } of inOrder(stepsOf(programme, weekdayFor(programme, date))))
      steps.push({ atS: momentOf(`${date}T${at}`, timeZone) / 1000, setback })
  }
  return steps
}

const dateAt = (atS: number, timeZone: string): string => localTimeOf(atS * 1000, timeZone).slice(0, 10)

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_S * 1000).toISOString().slice(0, 10)

/** Monday is the first of the week. */
function weekdayFor({ dates }: Programme, date: string): Weekday {
  const follows = dates?.find((each) => each.date === date)?.follows
  return follows ?? (WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] as Weekday)
}
