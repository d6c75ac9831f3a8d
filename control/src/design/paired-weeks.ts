import { NINE_OF_TEN } from '../heat/house-heat.ts'
import type { Range } from './supply-design.ts'

/** A week of a house: its heat, and the means indoors and outdoors. */
export type HouseWeek = { heatKwh: number; airC: number; outdoorC: number; isMetered: boolean }

export type PairedWeeks = {
  pairs: number
  /** Heat for each kelvin between indoors and outdoors: −0.2 is 20 % less; null with too few pairs. */
  change: Range | null
  isMetered: boolean
}

const FEWEST_PAIRS = 3
const FARTHEST_K = 1.5
/** In weeks that are hardly colder outdoors than indoors the sun decides. */
const LEAST_DIFFERENCE_K = 5
/** Without a meter both sides of a pair come from models, each learned from its own weeks. */
const SPREAD_OF_MODELS = 0.15
/** Student's t for nine of ten, by degrees of freedom from 2 on; beyond them the last one. */
const STUDENT = [2.92, 2.35, 2.13, 2.02, 1.94, 1.9, 1.86, 1.83, 1.81, 1.8, 1.78]

/** Weeks before and after a renovation, each pair with about the same outdoor temperature. */
export function pairedWeeks(before: HouseWeek[], after: HouseWeek[]): PairedWeeks {
  const pairs = pairsOf(before.filter(isHeated), after.filter(isHeated))
  const isMetered = pairs.every((pair) => pair.every((week) => week.isMetered))
  if (pairs.length < FEWEST_PAIRS)
    return { pairs: pairs.length, change: null, isMetered: pairs.length > 0 && isMetered }
  const changes = pairs.map(([first, second]) => Math.log(perKelvin(second) / perKelvin(first)))
  const mean = changes.reduce((sum, each) => sum + each, 0) / changes.length
  const variance = changes.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (changes.length - 1)
  const t = STUDENT[changes.length - 3] ?? (STUDENT.at(-1) as number)
  const doubt = Math.hypot(t * Math.sqrt(variance / changes.length), isMetered ? 0 : NINE_OF_TEN * SPREAD_OF_MODELS)
  const change = { value: Math.expm1(mean), least: Math.expm1(mean - doubt), most: Math.expm1(mean + doubt) }
  return { pairs: pairs.length, change, isMetered }
}

const isHeated = ({ heatKwh, airC, outdoorC }: HouseWeek): boolean =>
  heatKwh > 0 && airC - outdoorC >= LEAST_DIFFERENCE_K

const perKelvin = ({ heatKwh, airC, outdoorC }: HouseWeek): number => heatKwh / (airC - outdoorC)

/** Each week once, those first whose outdoor temperatures are closest. */
function pairsOf(before: HouseWeek[], after: HouseWeek[]): [HouseWeek, HouseWeek][] {
  const apartK = ([first, second]: [HouseWeek, HouseWeek]) => Math.abs(first.outdoorC - second.outdoorC)
  const possible = before.flatMap((first) => after.map((second): [HouseWeek, HouseWeek] => [first, second]))
  const taken = new Set<HouseWeek>()
  const pairs: [HouseWeek, HouseWeek][] = []
  for (const pair of possible.filter((each) => apartK(each) <= FARTHEST_K).toSorted((a, b) => apartK(a) - apartK(b))) {
    if (pair.some((week) => taken.has(week))) continue
    for (const week of pair) taken.add(week)
    pairs.push(pair)
  }
  return pairs
}
