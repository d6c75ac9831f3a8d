import { MINUTE_MS } from '@hypocaust/domain'
import { NO_TRACES } from '../../base/tracing/tracer.ts'
import { keepExamination } from '../../house/diagnosis/examine.ts'
import { fleetOf } from '../../house/fleet.ts'
import { countDueLimits } from '../../house/flexibility/record.ts'
import { countNext } from '../../house/heat/count.ts'
import { Fitting } from '../../house/heating/fitting.ts'
import { type Commands, Heating } from '../../house/heating/heating.ts'
import { advanceLoopRuns } from '../../house/loops/advance-runs.ts'
import { Replays } from '../../house/replays/replays.ts'
import { keepSavings } from '../../house/replays/savings.ts'
import type { RoomScope } from '../../house/rooms/write.ts'
import { advanceScreeds } from '../../house/screed/advance.ts'
import type { IngestParts, Recurring } from './parts.ts'

const CONTROL_QUIET_EVERY_MS = 30_000
const LOOK_AFTER_LOOPS_EVERY_MS = 500
const FIT_EVERY_MS = 2_000
const COUNT_HEAT_EVERY_MS = 2_000
const COUNT_LIMITS_EVERY_MS = MINUTE_MS
const COUNT_FLEET_EVERY_MS = 30_000
/** Nobody waits for these. */
const REPLAYS_MOST_MS = 2 * MINUTE_MS

/** What decides the powers of the rooms, and what learns from them. */
interface HeatingWork {
  heating: Heating
  fitting: Fitting
  replays: Replays
}

export function makeHeating(
  { settings, store, clock, metrics, tracer = NO_TRACES, logger, news }: IngestParts,
  commands: Commands,
): HeatingWork {
  const availability = { silentAfterS: settings.silent_after_s }
  const onControlled = (buildingId: string) => news.heard(buildingId)
  const heating = new Heating({ store, clock, metrics, tracer, logger, availability, commands, onControlled })
  const replays = new Replays(REPLAYS_MOST_MS)
  const afterFit = async (room: RoomScope) => {
    await keepSavings({ store, availability, replays }, room, clock.now()).catch((err) =>
      logger.warn({ err, room: room.roomId }, 'what a room could save was not computed; the next fit tries again'),
    )
    await keepExamination({ store, replays }, room, clock.now()).catch((err) =>
      logger.warn({ err, room: room.roomId }, 'a room was not examined for faults; the next fit tries again'),
    )
  }
  const fitting = new Fitting({ store, clock, metrics, heating, afterFit })
  return { heating, fitting, replays }
}

/** What recurs without news. A process that could not send what it decides leaves it to the others. */
export function heatingWork(
  { settings, store, clock, alone }: IngestParts,
  { heating, fitting }: HeatingWork,
  takesWork: () => boolean,
): Recurring[] {
  const availability = { silentAfterS: settings.silent_after_s }
  const whereAble = (turn: (stopping: AbortSignal) => Promise<unknown>) => async (stopping: AbortSignal) => {
    if (takesWork()) await turn(stopping)
  }
  const advanceLoops = async () => {
    for (const advance of [advanceLoopRuns, advanceScreeds])
      for (const buildingId of await advance(store, clock, availability)) void heating.control(buildingId)
  }
  return [
    [CONTROL_QUIET_EVERY_MS, whereAble((stopping) => heating.controlQuiet(stopping))],
    [LOOK_AFTER_LOOPS_EVERY_MS, whereAble(advanceLoops)],
    [FIT_EVERY_MS, whereAble(() => fitting.fitNext())],
    [COUNT_HEAT_EVERY_MS, whereAble(() => countNext({ store, clock }))],
    [COUNT_LIMITS_EVERY_MS, whereAble((stopping) => alone('limits', () => countDueLimits(store, clock, stopping)))],
  ]
}

/** Counts the gateways for the figures, now and again and again. */
export async function beginFleetCount({ settings, store, clock, metrics }: IngestParts): Promise<Recurring[]> {
  const countFleet = async () => {
    const fleet = await fleetOf(store, clock.now(), settings.silent_after_s)
    metrics.gateways.set({ state: 'available' }, fleet.available)
    metrics.gateways.set({ state: 'silent' }, fleet.silent)
    metrics.gateways.set({ state: 'not_following' }, fleet.notFollowing)
    metrics.gatewaysBuffered.set(fleet.buffered)
    metrics.fitsOverdue.set(fleet.fitsOverdue)
  }
  await countFleet()
  return [[COUNT_FLEET_EVERY_MS, countFleet]]
}
