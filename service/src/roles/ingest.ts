import { NO_TRACES } from '../base/tracing/tracer.ts'
import { startMqtt } from '../doors/mqtt/run.ts'
import type { ServerTls } from '../doors/tls/choose.ts'
import type { Commands, Heating } from '../house/heating/heating.ts'
import { RevisionWatch } from '../house/revisions.ts'
import { AtMostEvery } from '../processes/at-most-every.ts'
import { allBuildings, type Traces } from '../processes/building-shares.ts'
import { Coalescer } from '../processes/coalescer.ts'
import { repeat } from '../processes/repeat.ts'
import { beginFleetCount, heatingWork, makeHeating } from './work/heating.ts'
import { chooseOutside } from './work/outside.ts'
import type { IngestParts, Recurring } from './work/parts.ts'
import { beginClockWatch, upkeepWork } from './work/upkeep.ts'

interface RunningIngest {
  /** Where gateways find the broker. */
  mqtt: { port: number; tls: boolean }
  /** Runs the heating control for a building that was changed, and commands its gateways. */
  control(buildingId: string): void
  /** False while the broker outside is away: then other processes do the work. */
  readonly isConnected: boolean
  /** Whether readings wait for the database. */
  readonly isBehind: boolean
  /** The embedded broker's from now on. */
  useCertificate(tls: ServerTls): void
  stop(): Promise<void>
}

const WATCH_REVISIONS_EVERY_MS = 500
/** A slider that is dragged makes many changes; the last one is what counts. */
const FOLLOW_CHANGES_EVERY_MS = 1000
/** Changes of other buildings so soon after one share its queries and transaction, as the messages of gateways do. */
const FOLLOW_TOGETHER_MS = 250

/** What hears the gateways and heats, with the work that recurs. Any number of processes may do this side by side. */
export async function startIngest(parts: IngestParts): Promise<RunningIngest> {
  const { settings, store, clock, metrics, tracer = NO_TRACES, logger, broker, link, alone, news } = parts
  const outside = chooseOutside(parts)
  const commands: Commands = {
    along: (buildingId, gateways) => mqtt.commander.along(buildingId, gateways),
    update: (buildingId) => mqtt.commander.update(buildingId),
  }
  const made = makeHeating(parts, commands)
  const { heating, fitting, replays } = made
  const control = (buildingId: string, trace?: string) => heating.control(buildingId, trace)
  // A process without its broker could not send what it decides: it leaves the work to the others, if there are any.
  const takesWork = () => mqtt.isUp || !store.isShared
  // With a broker inside, only the process that a gateway is connected to can command it.
  const shared = broker.kind === 'external' ? parts.shares?.({ control, isAble: takesWork }) : undefined
  const shares = shared ?? allBuildings(control)
  const isOwn = (buildingId: string) => shares.isOwn(buildingId)
  const changes = changesFor(heating)
  const ending = new AbortController()
  const stopping = ending.signal
  const intake = { mostSensors: settings.max_sensors_per_building }
  const onReadings = (buildingIds: string[], traces: Traces) => shares.control(buildingIds, traces)
  const gateways = { store, clock, metrics, tracer, logger, broker, link, alone, intake, stopping, onReadings, isOwn }
  const mqtt = await startMqtt(gateways)
  await shared?.start()
  const revisions = new RevisionWatch(store, clock, isOwn)
  const followAll = async () => {
    if (takesWork()) (await revisions.changed()).forEach(changes.follow)
  }
  const work: { stop(): Promise<void> }[] = []
  const recur = (recurring: Recurring[]) =>
    work.push(...recurring.map(([everyMs, turn]) => repeat(everyMs, turn, logger)))
  recur([[WATCH_REVISIONS_EVERY_MS, followAll]])
  const unsubscribe = news.subscribe((what) => {
    if (!(what.kind === 'building' && isOwn(what.buildingId)) && what.kind !== 'anything') return
    followAll().catch((err) => logger.warn({ err }, 'a change was not followed at once; the next look finds it'))
  })
  recur(await beginClockWatch(parts))
  recur(heatingWork(parts, made, takesWork))
  recur(await beginFleetCount(parts))
  metrics.beforeRead.push(() => metrics.brokerConnected.set({ broker: broker.kind }, mqtt.isUp ? 1 : 0))
  recur(upkeepWork(parts))
  recur(outside.begin(stopping))
  const discovery = outside.startDiscovery(changes.follow)
  if (discovery) work.push(discovery)
  return {
    mqtt: mqtt.address,
    control(buildingId) {
      if (isOwn(buildingId)) changes.follow(buildingId)
    },
    get isConnected() {
      return mqtt.isUp
    },
    get isBehind() {
      return mqtt.isBehind
    },
    useCertificate: mqtt.useCertificate,
    async stop() {
      ending.abort()
      unsubscribe()
      await shared?.stop()
      changes.stop()
      await Promise.all([replays.stop(), fitting.stop()])
      await Promise.all(work.map((each) => each.stop()))
      await mqtt.stopReceiving()
      await heating.stop()
      await mqtt.stop()
    },
  }
}

/** Has the heating follow the changes of a building, several at a time. */
function changesFor(heating: Heating): { follow(buildingId: string): void; stop(): void } {
  const following = new Coalescer(FOLLOW_TOGETHER_MS, (buildingIds) => {
    for (const buildingId of buildingIds) void heating.follow(buildingId)
  })
  const dragged = new AtMostEvery(FOLLOW_CHANGES_EVERY_MS, (buildingId) => following.ask(buildingId))
  return {
    follow: (buildingId) => dragged.ask(buildingId),
    stop() {
      dragged.stop()
      following.stop()
    },
  }
}
