import { MAX_FLOOR_C } from '@hypocaust/domain'
import { columns } from '../columns.ts'
import { type Entry, HOLD, type PlantResult } from './compare.ts'
import type { Score } from './score.ts'
import type { SeasonResult } from './season.ts'
import {
  bestPeer,
  type EqualMeanOutcome,
  margin,
  OURS,
  plantName,
  plantOutcome,
  pooledGap,
  type ScenarioSummary,
  type Summary,
} from './summary.ts'

const HEAD = [
  'controller',
  'kind',
  'kWh/m²',
  'K·h low',
  'K·h high',
  'J',
  'J air',
  'offset K',
  'kWh/m² same mean',
  'J same mean',
  'openings/day',
  'floor max °C',
  'RMSE K',
  'over K',
  'below h',
]

export function scenarioTable(
  name: string,
  { controllers, offsetsK, equalMean, most }: ScenarioSummary,
  results: PlantResult[],
): string {
  const rows = Object.entries(controllers)
    .sort(([, a], [, b]) => a.j - b.j)
    .map(([controller, each]) => [
      controller,
      each.kind,
      each.energyKwhM2.toFixed(2),
      each.lowKh.toFixed(1),
      each.highKh.toFixed(1),
      each.j.toFixed(3),
      airJOf(results, controller),
      signed(each.offsetK),
      each.equalMean?.energyKwhM2.toFixed(2) ?? '',
      each.equalMean?.j.toFixed(3) ?? '',
      each.kind === 'limit' ? '' : each.switchesPerDay.toFixed(0),
      each.maxFloorC.toFixed(1),
      meanOf(results, controller, (score) => score.rmseK).toFixed(2),
      meanOf(results, controller, (score) => score.overshootK).toFixed(1),
      meanOf(results, controller, (score) => score.recoveryH).toFixed(1),
    ])
  return [
    `\n${name}: means over ${results.length} plants, one scored week; the floor as its warmest anywhere; "same mean": as warm on average in occupied hours as ${HOLD}`,
    columns([HEAD, ...rows]),
    gapLine(results),
    ...(hasEarly(results) ? EARLY.flatMap((early) => [OURS, HOLD].map((ours) => earlyLine(results, ours, early))) : []),
    tunedLine(results),
    equalMeanLine(equalMean.peer, 'the best peer', results.length),
    equalMeanLine(equalMean.tuned, 'the best peer tuned in hindsight', results.length),
    limitsLine(most),
    `mean offset from the setpoint in occupied hours, K`,
    offsetTable(offsetsK),
  ].join('\n')
}

function offsetTable(offsetsK: ScenarioSummary['offsetsK']): string {
  const names = Object.keys(Object.values(offsetsK)[0] ?? {})
  const rows = Object.entries(offsetsK).map(([plant, row]) => [plant, ...names.map((name) => signed(row[name] ?? 0))])
  return columns([['plant', ...names], ...rows])
}

const hasEarly = (results: PlantResult[]): boolean =>
  results.some(({ controllers }) => Object.values(controllers).some(({ kind }) => kind === 'early'))

type Early = { kind: 'early' | 'early-tuned'; who: string }
const EARLY: Early[] = [
  { kind: 'early', who: 'the best peer with a perfect early start' },
  { kind: 'early-tuned', who: 'the best peer with a perfect early start and an offset chosen in hindsight' },
]

/** Against what a perfect early start makes of the peers. */
function earlyLine(results: PlantResult[], ours: string, { kind, who }: Early): string {
  const margins = results.map(({ choice, controllers }) => {
    const { name, score } = bestPeer(controllers, kind)
    return { plant: plantName(choice), name, share: (score.j - (controllers[ours] as Entry).score.j) / score.j }
  })
  const least = margins.reduce((worse, each) => (each.share < worse.share ? each : worse))
  const behind = margins.filter(({ share }) => share < 0)
  const verdict =
    behind.length === 0
      ? `J at least as good as ${who} on every plant`
      : `J BEHIND ${who} on ${behind.map(({ plant, share }) => `${plant} (${(-100 * share).toFixed(1)} %)`).join(', ')}`
  return `${ours}: ${verdict}; least ahead on ${least.plant}: ${(100 * least.share).toFixed(1)} % of ${least.name}`
}

/** J of the law that uses the whole band, against what hindsight makes of the peers. */
function tunedLine(results: PlantResult[]): string {
  const behind = results.flatMap(({ choice, controllers }) => {
    const best = bestPeer(controllers, 'tuned').score.j
    const lost = ((controllers[OURS] as Entry).score.j - best) / best
    return lost > 0 ? [`${plantName(choice)} (${(100 * lost).toFixed(1)} %)`] : []
  })
  return behind.length === 0
    ? `${OURS}: J at least as good as the best peer tuned in hindsight on every plant`
    : `${OURS}: J BEHIND the best peer tuned in hindsight on ${behind.join(', ')}`
}

/** As warm on average as `hypocaust`: what the best peer of each plant needs more of heat, and where it is better in J. */
function equalMeanLine({ plants, ours, peer, behind }: EqualMeanOutcome, who: string, all: number): string {
  if (plants === 0) return `as warm on average as ${HOLD}: ${who} on no plant`
  const percentMore = (100 * (peer.energyKwhM2 - ours.energyKwhM2)) / ours.energyKwhM2
  const more = `${Math.abs(percentMore).toFixed(1)} % ${percentMore < 0 ? 'less' : 'more'}`
  const verdict = behind.length === 0 ? 'better in J on no plant' : `better in J on ${behind.join(', ')}`
  return `as warm on average as ${HOLD}, ${who} needs ${more} heat (${plants} of ${all} plants); ${verdict}`
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`

/** What holds on every single plant, where a mean could hide one. */
function limitsLine({ openingsPerDay, floorC }: ScenarioSummary['most']): string {
  const floor = floorC > MAX_FLOOR_C ? 'ABOVE its limit' : 'within its limit'
  return `on any plant at most ${openingsPerDay.toFixed(0)} openings a day; the floor ${floor} of ${MAX_FLOOR_C} °C`
}

/** With the air as a thermometer shows it in place of what is felt. */
function airJOf(results: PlantResult[], controller: string): string {
  const each = results.map(({ controllers }) => (controllers[controller] as Entry).score.airJ)
  return each.some((airJ) => airJ === null) ? '' : meanOf(results, controller, ({ airJ }) => airJ ?? 0).toFixed(3)
}

const meanOf = (results: PlantResult[], controller: string, value: (score: Score) => number) =>
  results.reduce((sum, { controllers }) => sum + value((controllers[controller] as Entry).score), 0) / results.length

function gapLine(results: PlantResult[]): string {
  const shipped = pooledGap(results, 'peer')
  const tuned = pooledGap(results, 'tuned')
  const lost = results.map(plantOutcome).filter((plant) => plant.j > plant.bestPeerJ)
  const behind =
    lost.length === 0
      ? 'J at least as good as the best peer as shipped on every plant'
      : `J BEHIND the best peer as shipped on ${lost.map(plantName).join(', ')}`
  if (shipped === null || tuned === null) return behind
  return `${OURS}: gap closed ${percent(shipped)} (${percent(tuned)} against peers tuned in hindsight); ${behind}`
}

export function worstLine({ worstPlant }: Summary): string {
  if (!worstPlant) return ''
  const { scenario, floorType, seed, j, bestPeer, bestPeerJ, gapClosed } = worstPlant
  const gap = gapClosed === null ? '' : `, gap closed ${percent(gapClosed)}`
  return `\nworst plant: ${scenario}, ${floorType}, seed ${seed}: J ${j.toFixed(3)} against ${bestPeerJ.toFixed(3)} of ${bestPeer} (${percent(margin(worstPlant))} better${gap})`
}

export function seasonTable(results: SeasonResult[]): string {
  const names = results[0]?.days.map((day) => day.name) ?? []
  const head = ['learning from day 0', 'ours J', 'low', 'high', 'best peer J', 'perfect J', 'gap closed']
  const rows = names.map((name) => {
    const days = results.flatMap((result) => result.days.filter((day) => day.name === name))
    const mean = (value: (day: SeasonResult['days'][number]) => number) =>
      days.reduce((sum, day) => sum + value(day), 0) / days.length
    const [ours, peer, perfect] = [
      mean((day) => day.ours.j),
      mean((day) => day.bestPeer.j),
      mean((day) => day.perfect.j),
    ]
    const gap = (peer - ours) / (peer - perfect)
    return [
      name,
      ours.toFixed(3),
      mean((day) => day.ours.lowKh).toFixed(2),
      mean((day) => day.ours.highKh).toFixed(2),
      peer.toFixed(3),
      perfect.toFixed(3),
      percent(gap),
    ]
  })
  const drift = results.map((result) => [
    `${result.choice.floorType}`,
    `${result.furthest.toFixed(2)} spreads from the prior at most`,
    `${result.lateRange.toFixed(2)} spreads of wandering in the second half`,
  ])
  return [
    `\na heating season, single days, means over ${results.length} plants`,
    columns([head, ...rows]),
    '\nlearned parameters over the season',
    columns(drift),
  ].join('\n')
}

const percent = (share: number) => `${Math.round(100 * share)} %`
