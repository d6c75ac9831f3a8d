import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FloorType } from '@hypocaust/domain'
import type { RoomState } from '@hypocaust/simulator'
import { BuiltInPlant } from './built-in-plant.ts'
import { Ours, type OursOptions } from './ours.ts'
import { AS_SHIPPED, createPeer, PEERS, type Tuning } from './peers.ts'
import { perfectScore } from './perfect.ts'
import type { CreatePlant, Plant, PlantChoice } from './plant.ts'
import { type Controller, run, SCORED_WEEK, type TracePoint } from './run.ts'
import { scenarioNamed } from './scenarios.ts'
import type { Score } from './score.ts'
import { createWorld, PLACE, seasonStartMs, type World } from './world.ts'

export type Kind = 'ours' | 'peer' | 'tuned' | 'limit'
export type Entry = { kind: Kind; score: Score; trace: TracePoint[] }
export type PlantResult = { choice: PlantChoice; controllers: Record<string, Entry> }

export type CompareJob = {
  choice: PlantChoice
  /** A module with a plant of somebody else's. */
  plantFile: string | null
  tunings: Tuning[]
  traceEveryS: number
}

/** All controllers on one plant, each on its own copy of it. */
export async function compare(job: CompareJob): Promise<PlantResult> {
  if (job.plantFile) {
    const create = await foreignPlants(job.plantFile)
    const controllers = contest(job, () => create(job.choice), null)
    return { choice: job.choice, controllers }
  }
  const world = createWorld(job.choice)
  const start = { state: null as RoomState | null }
  const controllers = contest(job, () => new BuiltInPlant(world), start)
  if (start.state) controllers.perfect = { kind: 'limit', score: limitOf(world, start.state), trace: [] }
  return { choice: job.choice, controllers }
}

const limitOf = (world: World, start: RoomState): Score => perfectScore(world, start, SCORED_WEEK).score

/** The floor the controllers are told of, which is not always the one that is there. */
export const configuredFloor = ({ scenario, floorType }: PlantChoice): FloorType =>
  scenarioNamed(scenario)?.configured?.[floorType] ?? floorType

export function oursFor(choice: PlantChoice, isBuiltIn: boolean): OursOptions {
  return {
    floorType: configuredFloor(choice),
    startMs: seasonStartMs(choice.scenario),
    location: isBuiltIn ? { lat: PLACE.latDeg, lng: PLACE.lngDeg } : null,
  }
}

function contest(
  job: CompareJob,
  createPlant: () => Plant,
  start: { state: RoomState | null } | null,
): Record<string, Entry> {
  const { choice, tunings, traceEveryS } = job
  const told = configuredFloor(choice)
  const entry = (kind: Kind, plant: Plant, controller: Controller): Entry => {
    const { scores, trace } = run(plant, controller, [SCORED_WEEK], traceEveryS)
    return { kind, score: scores.get(SCORED_WEEK.name) as Score, trace }
  }
  const plant = createPlant()
  const ours = new Ours(oursFor(choice, start !== null))
  const controllers: Record<string, Entry> = { hypocaust: entry('ours', plant, noting(ours, plant, start)) }
  for (const name of PEERS) {
    controllers[name] = entry('peer', createPlant(), createPeer(name, told, AS_SHIPPED))
    controllers[`${name}-tuned`] = tuned(tunings, (tuning) =>
      entry('tuned', createPlant(), createPeer(name, told, tuning)),
    )
  }
  return controllers
}

/** Notes the state in which our controller enters the scored week: the limit starts from there. */
function noting(controller: Controller, plant: Plant, start: { state: RoomState | null } | null): Controller {
  if (!start || !(plant instanceof BuiltInPlant)) return controller
  return {
    step(view) {
      if (view.nowS === SCORED_WEEK.fromS) start.state = { ...plant.state }
      return controller.step(view)
    },
  }
}

/** The best a patient owner could have turned: cheapest with hardly any cold, else the least bad. */
function tuned(tunings: Tuning[], runWith: (tuning: Tuning) => Entry): Entry {
  const entries = tunings.map(runWith)
  const warm = entries.filter((entry) => entry.score.lowKh <= 1)
  return (warm.length > 0 ? warm : entries).reduce((best, entry) => (entry.score.j < best.score.j ? entry : best))
}

async function foreignPlants(file: string): Promise<CreatePlant> {
  const module = await import(pathToFileURL(resolve(file)).href)
  if (typeof module.createPlant !== 'function')
    throw new Error(`${file} exports no function createPlant({ floorType, scenario, seed })`)
  return module.createPlant
}
