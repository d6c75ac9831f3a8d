import type { Slot } from '@hypocaust/control'
import type { FloorType } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import type { House } from './house.ts'
import { HORIZONS, LONGEST, type Moment, momentsOf } from './moment.ts'
import { Ours } from './ours.ts'
import { persistence, rc, regression, yesterday } from './rivals.ts'

export const PREDICTORS = ['hypocaust', 'prior', 'persistence', 'yesterday', 'rc', 'regression'] as const
export type Predictor = (typeof PREDICTORS)[number]

export type SetResult = {
  /** Root of the mean square error in K for each horizon; null where nothing could be scored. */
  rmse: Record<Predictor, (number | null)[]>
  /** Moments scored, and days of the recording before the first. */
  moments: number
  learnedDays: number
  /** How often and for which share of the time the law held a heat source that works to be off. */
  watch: { alarms: number; offShare: number }
}

/** Of each day, UTC: when the service has least to do. */
const FIT_AT_MS = 3 * 3_600_000
const SCORED_EVERY_MS = 3_600_000
const LEARNED_DAYS = 7
const FEWEST_DAYS = 2

/** One house, predicted hour after hour by what the days before the last night have taught. */
export function predictHouse(house: House, floorType: FloorType): SetResult {
  const { slots, location, name } = house
  const startMs = slots[0]?.endMs ?? 0
  const days = ((slots.at(-1)?.endMs ?? 0) - startMs) / DAY_MS
  if (days < FEWEST_DAYS)
    throw new Error(`${name}: ${days.toFixed(1)} days are recorded, at least ${FEWEST_DAYS} are needed`)
  const learnedDays = Math.min(LEARNED_DAYS, days / 2)
  const contest = new Contest(floorType, location, momentsOf(slots))
  let night = nightOf(startMs)
  for (const [index, slot] of slots.entries()) {
    contest.see(slot)
    if (nightOf(slot.endMs) !== night) contest.learn(index, slot.endMs)
    night = nightOf(slot.endMs)
    if (slot.endMs >= startMs + learnedDays * DAY_MS && slot.endMs % SCORED_EVERY_MS === 0) contest.score(index)
  }
  const { errors, watch } = contest
  if (errors.moments === 0)
    throw new Error(`${name}: no reading after day ${learnedDays.toFixed(0)} is followed by 12 hours without a gap`)
  const offShare = watch.offSlots / slots.length
  return { rmse: errors.rmse(), moments: errors.moments, learnedDays, watch: { alarms: watch.alarms, offShare } }
}

const nightOf = (atMs: number) => Math.floor((atMs - FIT_AT_MS) / DAY_MS)

/** All predictors on one house. */
class Contest {
  readonly errors = new Errors()
  readonly watch = { alarms: 0, offSlots: 0, isOff: false }
  private readonly ours: Ours
  private readonly prior: Ours
  private readonly rivals = {
    persistence: persistence(),
    yesterday: yesterday(),
    rc: rc(),
    regression: regression(),
  }
  private readonly moments: Map<number, Moment>
  private readonly unlearned: Moment[]

  constructor(floorType: FloorType, location: House['location'], moments: Moment[]) {
    this.ours = new Ours(floorType, location)
    this.prior = new Ours(floorType, location)
    this.moments = new Map(moments.map((moment) => [moment.index, moment]))
    this.unlearned = [...moments]
  }

  see(slot: Slot) {
    const isOff = this.ours.see(slot)
    this.prior.see(slot)
    this.watch.alarms += isOff && !this.watch.isOff ? 1 : 0
    this.watch.offSlots += isOff ? 1 : 0
    this.watch.isOff = isOff
  }

  /** At night, from moments whose twelve hours are over. */
  learn(index: number, nowMs: number) {
    const rivals = Object.values(this.rivals)
    while (this.unlearned[0] && this.unlearned[0].index + LONGEST <= index) {
      const moment = this.unlearned.shift() as Moment
      for (const rival of rivals) rival.learn(moment)
    }
    for (const rival of rivals) rival.settle()
    this.ours.fit(nowMs)
  }

  score(index: number) {
    const moment = this.moments.get(index)
    if (!moment) return
    const { persistence, yesterday, rc, regression } = this.rivals
    this.errors.add(moment, {
      hypocaust: this.ours.predict(moment.ahead),
      prior: this.prior.predict(moment.ahead),
      persistence: persistence.predict(moment),
      yesterday: yesterday.predict(moment),
      rc: rc.predict(moment),
      regression: regression.predict(moment),
    })
  }
}

/** Squared errors, all predictors on the same moments. */
class Errors {
  moments = 0
  private readonly counts = HORIZONS.map(() => 0)
  private readonly squares = new Map(PREDICTORS.map((name) => [name, HORIZONS.map(() => 0)]))

  add({ measuredC }: Moment, predicted: Record<Predictor, number[]>) {
    this.moments += 1
    for (const [horizon, trueC] of measuredC.entries()) {
      if (trueC === null) continue
      this.counts[horizon] = (this.counts[horizon] as number) + 1
      for (const [name, squares] of this.squares)
        squares[horizon] = (squares[horizon] as number) + ((predicted[name][horizon] as number) - trueC) ** 2
    }
  }

  rmse(): Record<Predictor, (number | null)[]> {
    const of = (name: Predictor) =>
      (this.squares.get(name) ?? []).map((sum, horizon) => {
        const count = this.counts[horizon] as number
        return count > 0 ? Number(Math.sqrt(sum / count).toFixed(4)) : null
      })
    return Object.fromEntries(PREDICTORS.map((name) => [name, of(name)])) as Record<Predictor, (number | null)[]>
  }
}
