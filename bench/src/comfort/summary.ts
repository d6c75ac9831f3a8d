import { type Entry, HOLD, type Kind, type PlantResult, SAVING } from './compare.ts'
import type { EqualMean } from './equal-mean.ts'
import type { Score } from './score.ts'

export type ControllerSummary = {
  kind: Kind
  energyKwhM2: number
  lowKh: number
  highKh: number
  j: number
  /** Mean of what is felt minus the setpoint in occupied hours. */
  offsetK: number
  /** Heat and J at the mean temperature of `hypocaust`; null where a plant has no such figure. */
  equalMean: EqualMean | null
  switchesPerDay: number
  maxFloorC: number
}

/** `hypocaust` and in each plant the best peer made as warm on average: means over the plants where one can be. */
export type EqualMeanOutcome = { plants: number; ours: EqualMean; peer: EqualMean; behind: string[] }

export type ScenarioSummary = {
  gapClosed: number | null
  gapClosedTuned: number | null
  equalMean: { peer: EqualMeanOutcome; tuned: EqualMeanOutcome }
  /** Of both our contestants, on any plant. */
  most: { openingsPerDay: number; floorC: number }
  controllers: Record<string, ControllerSummary>
  /** For each plant the mean offset from the setpoint in occupied hours. */
  offsetsK: Record<string, Record<string, number>>
}

type WorstPlant = {
  scenario: string
  floorType: string
  seed: number
  j: number
  bestPeer: string
  bestPeerJ: number
  perfectJ: number | null
  gapClosed: number | null
}

export type Summary = { scenarios: Record<string, ScenarioSummary>; worstPlant: WorstPlant | null }

/** J is asked of the law that may use the band as J does. */
export const OURS = SAVING
const LIMIT = 'perfect'

export function summarise(results: PlantResult[]): Summary {
  const names = [...new Set(results.map((result) => result.choice.scenario))]
  const scenarios = Object.fromEntries(
    names.map((name) => [name, scenarioSummary(results.filter((result) => result.choice.scenario === name))]),
  )
  const plants = results.map(plantOutcome)
  const worst = plants.reduce<WorstPlant | null>(
    (worse, plant) => (worse === null || margin(plant) < margin(worse) ? plant : worse),
    null,
  )
  return { scenarios, worstPlant: worst }
}

/** How much better than the best peer as shipped, relative to it. */
export const margin = (plant: WorstPlant) => (plant.bestPeerJ - plant.j) / Math.abs(plant.bestPeerJ)

export function plantOutcome({ choice, controllers }: PlantResult): WorstPlant {
  const { name, score } = bestPeer(controllers)
  const j = scoreOf(controllers, OURS)?.j ?? Number.NaN
  const perfectJ = scoreOf(controllers, LIMIT)?.j ?? null
  const gapClosed = perfectJ === null ? null : (score.j - j) / (score.j - perfectJ)
  return { ...choice, j, bestPeer: name, bestPeerJ: score.j, perfectJ, gapClosed }
}

function scenarioSummary(results: PlantResult[]): ScenarioSummary {
  const names = Object.keys(results[0]?.controllers ?? {})
  const ours = results.flatMap(({ controllers }) =>
    Object.values(controllers).flatMap(({ kind, score }) => (kind === 'ours' ? [score] : [])),
  )
  return {
    gapClosed: pooledGap(results, 'peer'),
    gapClosedTuned: pooledGap(results, 'tuned'),
    equalMean: { peer: equalMeanOutcome(results, 'peer'), tuned: equalMeanOutcome(results, 'tuned') },
    most: {
      openingsPerDay: Math.max(...ours.map((score) => score.switchesPerDay)),
      floorC: Math.max(...ours.map((score) => score.maxFloorC)),
    },
    controllers: Object.fromEntries(names.map((name) => [name, controllerSummary(results, name)])),
    offsetsK: Object.fromEntries(results.map((result) => [plantName(result.choice), offsetsOf(result)])),
  }
}

export const plantName = ({ floorType, seed }: { floorType: string; seed: number }) => `${floorType} ${seed}`

const offsetsOf = ({ controllers }: PlantResult): Record<string, number> =>
  Object.fromEntries(
    Object.entries(controllers)
      .filter(([, { kind }]) => kind === 'ours' || kind === 'peer')
      .map(([name, { score }]) => [name, Number(score.offsetK.toFixed(3))]),
  )

/** Pooled over plants, not averaged over ratios. */
export function pooledGap(results: PlantResult[], against: 'peer' | 'tuned'): number | null {
  let ours = 0
  let possible = 0
  for (const { controllers } of results) {
    const limit = scoreOf(controllers, LIMIT)
    if (!limit) return null
    const best = bestPeer(controllers, against).score.j
    ours += best - (scoreOf(controllers, OURS)?.j ?? Number.NaN)
    possible += best - limit.j
  }
  return ours / possible
}

export function bestPeer(
  controllers: Record<string, Entry>,
  kind: 'peer' | 'tuned' | 'early' | 'early-tuned' = 'peer',
): { name: string; score: Score } {
  const peers = Object.entries(controllers).filter(([, entry]) => entry.kind === kind)
  const [name, entry] = peers.reduce((best, peer) => (peer[1].score.j < best[1].score.j ? peer : best))
  return { name, score: entry.score }
}

const scoreOf = (controllers: Record<string, Entry>, name: string): Score | undefined => controllers[name]?.score

function controllerSummary(results: PlantResult[], name: string): ControllerSummary {
  const entries = results.map((result) => result.controllers[name]).filter((entry) => entry !== undefined)
  const mean = (value: (score: Score) => number) =>
    entries.reduce((sum, entry) => sum + value(entry.score), 0) / entries.length
  return {
    kind: entries[0]?.kind ?? 'peer',
    energyKwhM2: mean((score) => score.energyKwhM2),
    lowKh: mean((score) => score.lowKh),
    highKh: mean((score) => score.highKh),
    j: mean((score) => score.j),
    offsetK: mean((score) => score.offsetK),
    equalMean: meanOfEqual(entries.map((entry) => entry.equalMean)),
    switchesPerDay: mean((score) => score.switchesPerDay),
    maxFloorC: Math.max(...entries.map((entry) => entry.score.maxFloorC)),
  }
}

function meanOfEqual(all: (EqualMean | null)[]): EqualMean | null {
  const known = all.filter((each) => each !== null)
  if (known.length < all.length || known.length === 0) return null
  const mean = (value: (each: EqualMean) => number) => known.reduce((sum, each) => sum + value(each), 0) / known.length
  return { energyKwhM2: mean((each) => each.energyKwhM2), j: mean((each) => each.j) }
}

/** Of the peers of a kind the one with the least J at the mean temperature of `hypocaust`. */
function bestAtEqualMean(
  controllers: Record<string, Entry>,
  kind: 'peer' | 'tuned',
): { name: string; equalMean: EqualMean } | null {
  const peers = Object.entries(controllers).flatMap(([name, entry]) =>
    entry.kind === kind && entry.equalMean ? [{ name, equalMean: entry.equalMean }] : [],
  )
  return peers.length === 0 ? null : peers.reduce((best, peer) => (peer.equalMean.j < best.equalMean.j ? peer : best))
}

function equalMeanOutcome(results: PlantResult[], kind: 'peer' | 'tuned'): EqualMeanOutcome {
  const pairs = results.flatMap(({ choice, controllers }) => {
    const best = bestAtEqualMean(controllers, kind)
    const ours = controllers[HOLD]?.equalMean
    return best && ours ? [{ choice, ours, peer: best.equalMean }] : []
  })
  const behind = pairs.flatMap(({ choice, ours, peer }) =>
    ours.j > peer.j ? [`${plantName(choice)} (${(100 * (ours.j / peer.j - 1)).toFixed(1)} %)`] : [],
  )
  const nothing = { energyKwhM2: 0, j: 0 }
  return {
    plants: pairs.length,
    ours: meanOfEqual(pairs.map(({ ours }) => ours)) ?? nothing,
    peer: meanOfEqual(pairs.map(({ peer }) => peer)) ?? nothing,
    behind,
  }
}
