import { type Occupant, PRESENCE_RULE, type Vacancy, vacancyOf } from '@hypocaust/domain'
import { HOUR_S } from '@hypocaust/domain/facts'
import { seededRandom } from '@hypocaust/simulator'
import { DAY_S } from './scenarios.ts'

type Span = { fromS: number; toS: number }
/** When a person is out, and when the person's phone says so: later, and now and then for no reason. */
type Person = { name: string; out: Span[]; reportedOut: Span[] }

/** Seconds until a tracker notices that a person has left or come. */
const LEFT_AFTER_S = { least: 180, most: 900 }
const CAME_AFTER_S = { least: 20, most: 240 }
/** A phone that sleeps at night is lost for a while on so many nights. */
const LOST_NIGHTS = 0.15
const HOME_OFFICE_DAYS = 0.25

/** Two people who work, go out in the evening and travel: generated, not recorded. */
export function household(seed: number, days: number): Person[] {
  const random = seededRandom(7919 * seed + 3)
  const between = (least: number, most: number) => least + (most - least) * random.uniform()
  const journeyDay = 7 + 7 * Math.floor(between(0, days / 7 - 1)) + 5
  return ['first', 'second'].map((name) => {
    const out: Span[] = []
    const lost: Span[] = []
    for (let day = 0; day < days; day++) {
      const at = (hour: number) => day * DAY_S + Math.round((hour * HOUR_S) / 60) * 60
      const isWorkday = day % 7 < 5
      const isJourney = day === journeyDay || day === journeyDay + 1
      if (isJourney) out.push({ fromS: at(day === journeyDay ? 9 : 0), toS: at(day === journeyDay ? 24 : 18) })
      else if (isWorkday && random.uniform() > HOME_OFFICE_DAYS)
        out.push({ fromS: at(between(7.2, 8.5)), toS: at(between(15.5, 18.5)) })
      else if (random.uniform() < 0.6) {
        const fromHour = between(10, 14)
        out.push({ fromS: at(fromHour), toS: at(fromHour + between(1, 4)) })
      }
      if (!isJourney && random.uniform() < 0.25)
        out.push({ fromS: at(between(18.6, 19.5)), toS: at(between(21, 23.5)) })
      if (random.uniform() < LOST_NIGHTS) {
        const fromHour = between(0.5, 4)
        lost.push({ fromS: at(fromHour), toS: at(fromHour + between(0.2, 2)) })
      }
    }
    const reported = out.map(({ fromS, toS }) => ({
      fromS: fromS + Math.round(between(LEFT_AFTER_S.least, LEFT_AFTER_S.most)),
      toS: toS + Math.round(between(CAME_AFTER_S.least, CAME_AFTER_S.most)),
    }))
    return { name, out, reportedOut: [...reported, ...lost] }
  })
}

const isIn = (spans: Span[], nowS: number) => spans.some(({ fromS, toS }) => nowS >= fromS && nowS < toS)

export const isAnybodyHome = (people: Person[], nowS: number) => people.some(({ out }) => !isIn(out, nowS))

/** What the service knows of them at a moment, and makes of it by the rule that pages offer first. */
export class Reports {
  private readonly people: Person[]
  private readonly startMs: number
  private readonly known = new Map<string, Occupant>()

  constructor(people: Person[], startMs: number) {
    this.people = people
    this.startMs = startMs
  }

  vacancyAt(nowS: number, warmAgainK: number | null): Vacancy | null {
    const nowMs = this.startMs + nowS * 1000
    const occupants = this.people.map(({ name, reportedOut }) => {
      const isHome = !isIn(reportedOut, nowS)
      const before = this.known.get(name)
      const sinceMs = before?.isHome === isHome ? before.sinceMs : nowMs
      const occupant = { name, isHome, sinceMs, reportedMs: nowMs }
      this.known.set(name, occupant)
      return occupant
    })
    const { after_minutes: afterMinutes, target_temperature: targetC } = PRESENCE_RULE.usual
    return vacancyOf(occupants, { afterMinutes, targetC }, null, warmAgainK)
  }
}
