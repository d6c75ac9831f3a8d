import { MAX_FLOOR_C } from '@hypocaust/domain'
import { withFigures } from '../figures.ts'
import { HOLD, SAVING } from './compare.ts'
import type { ComfortResult } from './kept.ts'
import type { SeasonResult } from './season.ts'
import { type ControllerSummary, margin, type ScenarioSummary } from './summary.ts'

export const withComfortFigures = (page: string, result: ComfortResult) =>
  withFigures(page, 'bench:comfort', figures(result))

const SHOWN: [string, string][] = [
  ['winter', 'winter'],
  ['shoulder', 'spring sun'],
]

function figures(result: ComfortResult): string {
  const shown = SHOWN.flatMap(([name, title]) => {
    const scenario = result.scenarios[name]
    return scenario ? [{ title, scenario }] : []
  })
  const houses = Object.keys(shown[0]?.scenario.offsetsK ?? {}).length
  return [
    `By default a room is held at its setpoint (\`${HOLD}\`). Peers that let a room be warmer or colder look more expensive or cheaper than they are, so each is shown with its targets shifted until the room is as warm on average in occupied hours:`,
    equalMeanTable(shown, houses),
    `A house may choose to save instead and use the whole comfort band (\`${SAVING}\`). J is heat in kWh/m² a week plus 0.02 for each kelvin-hour outside the band, everyone with the targets as set:`,
    jTable(shown, houses),
    'The simulated houses use nearly the same constants as the model the law begins with, each changed by up to 30 %. On houses built of other equations the lead can be smaller.',
    summaryText(result),
  ].join('\n\n')
}

type Shown = { title: string; scenario: ScenarioSummary }[]

function equalMeanTable(shown: Shown, houses: number): string {
  const head = row([
    `Means over ${houses} houses`,
    ...shown.map(({ title }) => `${title}: heat kWh/m², J, offset from the setpoint as set`),
  ])
  const cells = (name: string) => shown.map(({ scenario }) => equalMeanCell(scenario.controllers[name]))
  const outcome = (kind: 'peer' | 'tuned') =>
    shown.map(({ scenario }) => {
      const { peer, plants } = scenario.equalMean[kind]
      return plants === 0 ? '–' : `${peer.energyKwhM2.toFixed(2)}, ${peer.j.toFixed(2)}`
    })
  return [
    head,
    rule(shown.length),
    row(['Hypocaust', ...cells(HOLD)]),
    row(['best of the others in each house, as shipped', ...outcome('peer')]),
    row(['best of the others in each house, tuned in hindsight', ...outcome('tuned')]),
    row(['on/off with a dead band', ...cells('hysteresis')]),
  ].join('\n')
}

function equalMeanCell(controller: ControllerSummary | undefined): string {
  if (!controller) return '–'
  const { equalMean, offsetK } = controller
  const offset = `${offsetK < 0 ? '−' : '+'}${Math.abs(offsetK).toFixed(2)} K`
  return equalMean ? `${equalMean.energyKwhM2.toFixed(2)}, ${equalMean.j.toFixed(2)}, ${offset}` : `–, –, ${offset}`
}

function jTable(shown: Shown, houses: number): string {
  const cell = ({ j, lowKh, highKh }: ControllerSummary) => `${j.toFixed(2)}, ${lowKh.toFixed(1)}, ${highKh.toFixed(1)}`
  const cells = (name: string) =>
    shown.map(({ scenario }) => {
      const controller = scenario.controllers[name]
      return controller ? cell(controller) : '–'
    })
  const best = (kind: 'peer' | 'tuned') =>
    shown.map(({ scenario }) => {
      const peers = Object.entries(scenario.controllers).filter(([, each]) => each.kind === kind)
      const [name, least] = peers.reduce((a, b) => (b[1].j < a[1].j ? b : a))
      return `${cell(least)} (${name.replace('-tuned', '')})`
    })
  return [
    row([`Means over ${houses} houses`, ...shown.map(({ title }) => `${title}: J, K·h cold, K·h warm`)]),
    rule(shown.length),
    row(['perfect foresight', ...cells('perfect')]),
    row(['Hypocaust, saving', ...cells(SAVING)]),
    row(['Hypocaust', ...cells(HOLD)]),
    row(['best of the others as shipped', ...best('peer')]),
    row(['best of the others tuned in hindsight', ...best('tuned')]),
    row(['on/off with a dead band', ...cells('hysteresis')]),
  ].join('\n')
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const rule = (columns: number) => `|${'---|'.repeat(columns + 1)}`

function summaryText({ scenarios, worstPlant, learning }: ComfortResult): string {
  const all = Object.values(scenarios)
  const openings = Math.max(...all.map(({ most }) => most.openingsPerDay))
  const floorC = Math.max(...all.map(({ most }) => most.floorC))
  const worst = worstPlant ? margin(worstPlant) : 0
  const everywhere =
    worst >= 0
      ? `the J of \`${SAVING}\` was at least as good as the best of the others as shipped in every single house`
      : `the J of \`${SAVING}\` was behind the best of the others as shipped by ${(-100 * worst).toFixed(1)} % in the worst house`
  const floor = floorC <= MAX_FLOOR_C ? 'the floor within its limit' : `the floor at up to ${floorC.toFixed(1)} °C`
  return `In all ${all.length} situations of the full benchmark (a cold snap, a stove in the evening, open windows, a lost sensor, a wrong floor type, a bad forecast, a day without heat and more; \`npm run bench:comfort\`) ${everywhere}, with at most ${openings.toFixed(0)} openings of a valve a day and ${floor}.${learningText(learning)}`
}

/** How much of the gap between the best peer and perfect foresight is closed on single days of a first season. */
function learningText(learning: SeasonResult[]): string {
  const names = learning[0]?.days.map(({ name }) => name) ?? []
  if (names.length === 0) return ''
  const shares = names.map((name) => {
    const days = learning.flatMap((season) => season.days.filter((day) => day.name === name))
    const sum = (value: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + value(day), 0)
    const closed =
      sum(({ bestPeer, ours }) => bestPeer.j - ours.j) / sum(({ bestPeer, perfect }) => bestPeer.j - perfect.j)
    return `${Math.round(100 * closed)} % on ${name}`
  })
  return ` A room that nothing is known of closes, of the gap between the best of the others and perfect foresight, ${shares.join(', ')}.`
}
