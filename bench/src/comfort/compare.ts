import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Strategy } from '@hypocaust/control'
import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import type { RoomState } from '@hypocaust/simulator'
import { BuiltInPlant } from './built-in-plant.ts'
import { PerfectStart } from './early-start.ts'
import { atEqualMean, type EqualMean } from './equal-mean.ts'
import { Ours, type OursOptions } from './ours.ts'
import { AS_SHIPPED, createPeer, PEERS, type PeerName, type Tuning } from './peers.ts'
import { perfectScore } from './perfect.ts'
import type { CreatePlant, Plant, PlantChoice } from './plant.ts'
import { type Controller, type RunOptions, run, SCORED_WEEK, type TracePoint } from './run.ts'
import { scenarioNamed } from './scenarios.ts'
import type { Score } from './score.ts'
import { SwappedPlant } from './swapped-plant.ts'
import { createWorld, PLACE, seasonStartMs, type World } from './world.ts'

/** Holds the setpoint, as rooms are set up; and the choice of a house to use its whole band. */
export const HOLD = 'hypocaust'
export const SAVING = 'hypocaust-saving'

/** `early`: with a perfect early start; `early-tuned`: with the best offset in hindsight besides. */
export type Kind = 'ours' | 'peer' | 'tuned' | 'early' | 'early-tuned' | 'limit'
export type Entry = {
  kind: Kind
  score: Score
  trace: TracePoint[]
  /** With targets shifted until the room is as warm on average as with `hypocaust`; null where none was tried or none
   * does that. */
  equalMean: EqualMean | null
}
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
  const { choice } = job
  if (job.plantFile) {
    const create = await foreignPlants(job.plantFile)
    return { choice, controllers: contest(job, () => ({ plant: create(choice) })) }
  }
  const world = createWorld(choice)
  const start = commonStart(world)
  const controllers = contest(job, world.scenario.isSwapped ? swapped(world, start) : alone(world, start))
  if (world.scenario.week) Object.assign(controllers, earlyStarters(world, start))
  controllers.perfect = {
    kind: 'limit',
    score: perfectScore(world, start, SCORED_WEEK).score,
    trace: [],
    equalMean: null,
  }
  return { choice, controllers }
}

const OFFSETS_K = [-0.4, -0.2, 0, 0.2, 0.4]
/** Warm by the setpoint itself, or by the lower edge of its band. */
const SHORT_K = [0, 0.5]

/** Each peer as good as an early start can make it, and as good as an offset besides, whatever else that costs. */
function earlyStarters(world: World, start: RoomState): Record<string, Entry> {
  const configured = configuredFloor(world.choice)
  const runWith = (name: PeerName, offsetK: number, shortK: number): Score => {
    const plant = new BuiltInPlant(world)
    const early = new PerfectStart(world, plant, shortK)
    const peer = createPeer(name, configured, { offsetK, earlyS: 0 }, (nowS) => early.targetC(nowS))
    const reset = { atS: SCORED_WEEK.fromS, plant: () => plant.enter(start) }
    return run(plant, peer, [SCORED_WEEK], { reset }).scores.get(SCORED_WEEK.name) as Score
  }
  return Object.fromEntries(
    PEERS.flatMap((name): [string, Entry][] => {
      const runs = OFFSETS_K.flatMap((offsetK) =>
        SHORT_K.map((shortK) => ({ offsetK, score: runWith(name, offsetK, shortK) })),
      )
      const asGiven = runs.filter(({ offsetK }) => offsetK === 0)
      return [
        [`${name}-early`, earlyEntry('early', asGiven)],
        [`${name}-early-tuned`, earlyEntry('early-tuned', runs)],
      ]
    }),
  )
}

const earlyEntry = (kind: Kind, runs: { score: Score }[]): Entry => ({
  kind,
  score: runs.map(({ score }) => score).reduce((least, score) => (score.j < least.j ? score : least)),
  trace: [],
  equalMean: null,
})

/** Everybody enters the scored week in the same house, the one the peers leave behind on average: heat saved up or
 * withheld before the week is nobody's merit. */
export function commonStart(world: World): RoomState {
  const configured = configuredFloor(world.choice)
  const states = PEERS.map((name) => {
    const plant = new BuiltInPlant(world)
    run(plant, createPeer(name, configured, AS_SHIPPED), [{ name: 'before', fromS: 0, toS: SCORED_WEEK.fromS }])
    return plant.state
  })
  const mean = (value: (state: RoomState) => number) =>
    states.reduce((sum, state) => sum + value(state), 0) / states.length
  return {
    pipeC: mean((state) => state.pipeC),
    surfaceC: mean((state) => state.surfaceC),
    airC: mean((state) => state.airC),
    wallC: mean((state) => state.wallC),
  }
}

/** The floor type the controllers are given, which is not always the one that is there. */
export const configuredFloor = ({ scenario, floorType }: PlantChoice): FloorType =>
  scenarioNamed(scenario)?.configured?.[floorType] ?? floorType

export function oursFor(choice: PlantChoice, isBuiltIn: boolean, strategy: Strategy): OursOptions {
  return {
    strategy,
    floorType: configuredFloor(choice),
    startMs: seasonStartMs(choice.scenario),
    location: isBuiltIn ? { lat: PLACE.latDeg, lng: PLACE.lngDeg } : null,
  }
}

type Contestant = { plant: Plant; reset?: RunOptions['reset'] }
type ControllerOf = (choice: PlantChoice) => Controller
/** A plant for the controller of a contestant, which heats the other rooms of the house as well where there are any. */
type CreateContestant = (controllerOf: ControllerOf) => Contestant

const alone =
  (world: World, start: RoomState): CreateContestant =>
  () => {
    const plant = new BuiltInPlant(world)
    return { plant, reset: { atS: SCORED_WEEK.fromS, plant: () => plant.enter(start) } }
  }

/** The other room is of the next floor type, in the same weather. */
function swapped(world: World, start: RoomState): CreateContestant {
  const { choice } = world
  const nextFloor = FLOOR_TYPES[(FLOOR_TYPES.indexOf(choice.floorType) + 1) % FLOOR_TYPES.length] as FloorType
  const nextChoice = { ...choice, floorType: nextFloor }
  const nextWorld = createWorld(nextChoice)
  const nextStart = commonStart(nextWorld)
  return (controllerOf) => {
    const room = new BuiltInPlant(world)
    const plant = new SwappedPlant(room, new BuiltInPlant(nextWorld), controllerOf(nextChoice))
    return { plant, reset: { atS: SCORED_WEEK.fromS, plant: () => plant.enter(start, nextStart) } }
  }
}

function contest(
  { choice, tunings, traceEveryS, plantFile }: CompareJob,
  create: CreateContestant,
): Record<string, Entry> {
  const entry = (kind: Kind, controllerOf: ControllerOf): Entry => {
    const { plant, reset } = create(controllerOf)
    const { scores, trace } = run(plant, controllerOf(choice), [SCORED_WEEK], { traceEveryS, ...(reset && { reset }) })
    return { kind, score: scores.get(SCORED_WEEK.name) as Score, trace, equalMean: null }
  }
  const ours = (strategy: Strategy) => entry('ours', (room) => new Ours(oursFor(room, plantFile === null, strategy)))
  const peer = (name: PeerName, tuning: Tuning) =>
    entry('tuned', (room) => createPeer(name, configuredFloor(room), tuning))
  const hold = ours('hold')
  const { offsetK, energyKwhM2, j } = hold.score
  const controllers: Record<string, Entry> = {
    [HOLD]: { ...hold, equalMean: { energyKwhM2, j } },
    [SAVING]: ours('saving'),
  }
  for (const name of PEERS) {
    const { runWith, asWarm } = tunedRuns((tuning) => peer(name, tuning), offsetK)
    const best = bestTuned(tunings.map((tuning) => ({ tuning, score: runWith(tuning).score }))).tuning
    controllers[name] = { ...runWith(AS_SHIPPED), kind: 'peer', equalMean: asWarm(AS_SHIPPED) }
    controllers[`${name}-tuned`] = { ...runWith(best), equalMean: asWarm(best) }
  }
  return controllers
}

/** Runs of one peer, each tuning once; and what it needs to be as warm on average as a given offset. */
function tunedRuns(run: (tuning: Tuning) => Entry, wantedOffsetK: number) {
  const known = new Map<string, Entry>()
  const runWith = (tuning: Tuning): Entry => {
    const key = `${tuning.offsetK} ${tuning.earlyS}`
    const entry = known.get(key) ?? run(tuning)
    known.set(key, entry)
    return entry
  }
  const asWarm = ({ offsetK, earlyS }: Tuning) =>
    atEqualMean(
      (shiftK) => runWith({ offsetK: offsetK + shiftK, earlyS }).score,
      runWith({ offsetK, earlyS }).score,
      wantedOffsetK,
    )
  return { runWith, asWarm }
}

/** The best a patient owner could have turned, by the same measure as everybody's. */
const bestTuned = <Run extends { score: Score }>(runs: Run[]): Run =>
  runs.reduce((best, each) => (each.score.j < best.score.j ? each : best))

export async function foreignPlants(file: string): Promise<CreatePlant> {
  const module = await import(pathToFileURL(resolve(file)).href)
  if (typeof module.createPlant !== 'function')
    throw new Error(`${file} exports no function createPlant({ floorType, scenario, seed })`)
  return module.createPlant
}
