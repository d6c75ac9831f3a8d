import { parseArgs } from 'node:util'
import { columns } from '../columns.ts'
import { drawPerson, type Person, TARGET_C } from './person.ts'
import { type Lived, live, SCORED_WEEKS, WEEKS } from './room.ts'

const USAGE = `npm run bench:wishes -- [options]
  People with wishes that nobody knows press "too cold" and "too warm" for eight weeks of a winter: with every proposal
  accepted, with none, and with another target for the whole week instead.
  --people N   (30)`

/** The targets that are tried for the whole week. */
const OFFSETS_K = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3]
/** A week with as many presses is a quiet one. */
const QUIET = 1

const { values } = parseArgs({
  options: { people: { type: 'string', default: '30' }, help: { type: 'boolean', default: false } },
})
if (values.help) console.log(USAGE)
else report(Array.from({ length: Number(values.people) }, (_, number) => compared(drawPerson(number))))

function compared(person: Person) {
  const accepting = live(person, { accepts: true, targetC: TARGET_C })
  const dismissing = live(person, { accepts: false, targetC: TARGET_C })
  const others = OFFSETS_K.map((byK) => live(person, { accepts: false, targetC: TARGET_C + byK }))
  const as = others.filter((other) => scored(other) <= scored(accepting)).map(({ heatKwhM2 }) => heatKwhM2)
  return { person, accepting, dismissing, heatOfTarget: as.length === 0 ? null : Math.min(...as) }
}

function scored({ pressesOfWeek }: Lived): number {
  return pressesOfWeek.slice(WEEKS - SCORED_WEEKS).reduce((sum, presses) => sum + presses, 0)
}

function report(results: ReturnType<typeof compared>[]): void {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const ofWeek = (name: 'accepting' | 'dismissing', week: number) =>
    mean(results.map((result) => result[name].pressesOfWeek[week] as number)).toFixed(1)
  const weeks = Array.from({ length: WEEKS }, (_, week) => week)
  console.log(`presses a week of ${results.length} people, on the mean`)
  console.log(
    columns([
      ['week', ...weeks.map((week) => String(week + 1))],
      ['every proposal accepted', ...weeks.map((week) => ofWeek('accepting', week))],
      ['none accepted', ...weeks.map((week) => ofWeek('dismissing', week))],
    ]),
  )
  const quietFrom = results.map(({ accepting }) => 1 + accepting.pressesOfWeek.findLastIndex((each) => each > QUIET))
  const isQuiet = quietFrom.filter((week) => week < WEEKS)
  console.log(
    `quiet (at most ${QUIET} press a week from then on): ${isQuiet.length} of ${results.length}, ` +
      `after ${mean(isQuiet).toFixed(1)} weeks on the mean; ` +
      `${mean(results.map(({ accepting }) => accepting.acceptedOnDays.length)).toFixed(1)} proposals accepted by each`,
  )
  const equal = results.flatMap((each) => (each.heatOfTarget === null ? [] : [{ ...each, other: each.heatOfTarget }]))
  const heat = mean(equal.map(({ accepting }) => accepting.heatKwhM2))
  console.log(
    `heat of the last ${SCORED_WEEKS} weeks, kWh/m²: ${heat.toFixed(2)} with what was accepted, ` +
      `${mean(equal.map(({ other }) => other)).toFixed(2)} with the least target for the whole week that brings no more ` +
      `presses (${equal.length} people; for ${results.length - equal.length} there is none)`,
  )
}
