import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import { StartupError } from '../base/startup-error.ts'
import { VERSION } from '../base/version.ts'
import { installationOf } from '../doors/installation.ts'
import type { MqttLink } from '../doors/mqtt/link.ts'
import { type BrokerChoice, startMqtt } from '../doors/mqtt/run.ts'
import type { ServerTls } from '../doors/tls/choose.ts'
import { forgetChanges } from '../house/change-log/forget.ts'
import { fleetOf } from '../house/fleet.ts'
import { correctFutureTimestamps } from '../house/future-timestamps.ts'
import { countNext } from '../house/heat/count.ts'
import { learnSources } from '../house/heat/learn-source.ts'
import { thinMeterReadings } from '../house/heat/meters.ts'
import { Fitting } from '../house/heating/fitting.ts'
import { type Commands, Heating } from '../house/heating/heating.ts'
import { advanceLoopRuns } from '../house/loops/advance-runs.ts'
import type { Retention } from '../house/readings/retention.ts'
import { rollUpAll } from '../house/readings/roll-up.ts'
import { Replays } from '../house/replays/replays.ts'
import { keepSavings } from '../house/replays/savings.ts'
import { RevisionWatch } from '../house/revisions.ts'
import type { RoomScope } from '../house/rooms/write.ts'
import { choosePrices, type PriceChoice } from '../house/source/prices/choose.ts'
import { keepGatewayPrices } from '../house/source/prices/of-gateways.ts'
import { updatePrices } from '../house/source/prices/updates.ts'
import { chooseWeather, type WeatherChoice } from '../house/weather/choose.ts'
import { updateWeather } from '../house/weather/updates.ts'
import type { WeatherProvider } from '../house/weather/weather.ts'
import { forgetExpiredVerifications } from '../people/accounts/verifications.ts'
import { forgetEndedKeys } from '../people/keys/keys.ts'
import { removeEndedRoles } from '../people/members/ended.ts'
import { forgetDeliveries } from '../people/webhooks/webhooks.ts'
import { AtMostEvery } from '../processes/at-most-every.ts'
import { allBuildings } from '../processes/building-shares.ts'
import { Coalescer } from '../processes/coalescer.ts'
import type { RunExclusively } from '../processes/exclusive.ts'
import type { News } from '../processes/news.ts'
import type { Peers } from '../processes/postgres-peers.ts'
import { repeat } from '../processes/repeat.ts'
import { SetBackWatch, StepWatch } from '../processes/step-watch.ts'
import type { Store } from '../store/store.ts'

/** The settings of the service that this role goes by. */
interface IngestChoice extends WeatherChoice, PriceChoice {
  mqtt_url?: string
  ha_discovery: boolean
  silent_after_s: number
  max_sensors_per_building: number
  history_raw_days: number
  history_five_minute_days: number
  history_hourly_days: number
  history_decision_days: number
  ended_key_days: number
  change_log_days: number
}

export interface IngestParts {
  settings: IngestChoice
  store: Store
  clock: Clock
  metrics: Metrics
  logger: Logger
  broker: BrokerChoice
  /** In place of a connection to that broker. */
  link?: MqttLink
  alone: RunExclusively
  news: News
  /** Where other processes may control the same buildings. */
  shares?: Peers['shares']
  weather?: WeatherProvider
}

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
const LOOK_AFTER_LOOPS_EVERY_MS = 500
/** A slider that is dragged makes many changes; the last one is what counts. */
const FOLLOW_CHANGES_EVERY_MS = 1000
/** Changes of other buildings so soon after one share its queries and transaction, as the messages of gateways do. */
const FOLLOW_TOGETHER_MS = 250
const CONTROL_QUIET_EVERY_MS = 30_000
const FIT_EVERY_MS = 2_000
const COUNT_HEAT_EVERY_MS = 2_000
/** Nobody waits for these. */
const REPLAYS_MOST_MS = 2 * MINUTE_MS
const ROLL_UP_EVERY_MS = 60_000
const WEATHER_EVERY_MS = 30_000
const PRICES_EVERY_MS = 30_000
const FORGET_WINDOWS_EVERY_MS = 60_000
const FORGET_VERIFICATIONS_EVERY_MS = 60_000
const FORGET_KEYS_EVERY_MS = HOUR_MS
const REMOVE_ENDED_ROLES_EVERY_MS = MINUTE_MS
const WATCH_CLOCK_EVERY_MS = 10_000
const RIGHT_STAMPS_EVERY_MS = 10 * MINUTE_MS
const COUNT_FLEET_EVERY_MS = 30_000
const SEEK_HOME_ASSISTANT_EVERY_MS = 1000

/** What hears the gateways and heats, with the work that recurs. Any number of processes may do this side by side. */
export async function startIngest(parts: IngestParts): Promise<RunningIngest> {
  const { settings, store, clock, metrics, logger, broker, alone, news } = parts
  const availability = { silentAfterS: settings.silent_after_s }
  const weather = parts.weather ?? chooseWeather(settings, clock)
  const prices = choosePrices(settings)
  const discovery = discoveryUrl(settings)
  const commands: Commands = {
    along: (buildingId, gateways) => mqtt.commander.along(buildingId, gateways),
    update: (buildingId) => mqtt.commander.update(buildingId),
  }
  const onControlled = (buildingId: string) => news.heard(buildingId)
  const heating = new Heating({ store, clock, metrics, logger, availability, commands, onControlled })
  const replays = new Replays(REPLAYS_MOST_MS)
  const afterFit = (room: RoomScope) =>
    keepSavings({ store, availability, replays }, room, clock.now()).catch((err) =>
      logger.warn({ err, room: room.roomId }, 'what a room could save was not computed; the next fit tries again'),
    )
  const fitting = new Fitting({ store, clock, metrics, heating, afterFit })
  const control = (buildingId: string) => heating.control(buildingId)
  // A process without its broker could not send what it decides: it leaves the work to the others, if there are any.
  const takesWork = () => mqtt.isUp || !store.isShared
  // With a broker inside, only the process that a gateway is connected to can command it.
  const shared = broker.kind === 'external' ? parts.shares?.({ control, isAble: takesWork }) : undefined
  const shares = shared ?? allBuildings(control)
  const isOwn = (buildingId: string) => shares.isOwn(buildingId)
  const following = new Coalescer(FOLLOW_TOGETHER_MS, (buildingIds) => {
    for (const buildingId of buildingIds) void heating.follow(buildingId)
  })
  const changes = new AtMostEvery(FOLLOW_CHANGES_EVERY_MS, (buildingId) => following.ask(buildingId))
  const follow = (buildingId: string) => changes.ask(buildingId)
  const onReadings = (buildingIds: string[]) => shares.control(buildingIds)
  const ending = new AbortController()
  const stopping = ending.signal
  const mqtt = await startMqtt({
    store,
    clock,
    metrics,
    logger,
    broker,
    link: parts.link,
    alone,
    intake: { mostSensors: settings.max_sensors_per_building },
    stopping,
    onReadings,
    isOwn,
  })
  await shared?.start()
  const revisions = new RevisionWatch(store, clock, isOwn)
  const work: { stop(): Promise<void> }[] = []
  const recurring = (everyMs: number, turn: (stopping: AbortSignal) => Promise<unknown>) =>
    work.push(repeat(everyMs, turn, logger))
  const followAll = async () => {
    if (takesWork()) (await revisions.changed()).forEach(follow)
  }
  recurring(WATCH_REVISIONS_EVERY_MS, followAll)
  const unsubscribe = news.subscribe((what) => {
    if (!(what.kind === 'building' && isOwn(what.buildingId)) && what.kind !== 'anything') return
    followAll().catch((err) => logger.warn({ err }, 'a change was not followed at once; the next look finds it'))
  })
  const rightStamps = async () => {
    const righted = await correctFutureTimestamps(store, clock.now())
    if (righted > 0) logger.warn({ rows: righted }, 'the clock was set back: times in the future were put right')
  }
  const clockWatch = new SetBackWatch(clock)
  await rightStamps()
  recurring(WATCH_CLOCK_EVERY_MS, async () => {
    if (clockWatch.wasSetBack()) await rightStamps()
  })
  // What was written by the old time just after the look. It reads every row, so not often.
  recurring(RIGHT_STAMPS_EVERY_MS, rightStamps)
  recurring(CONTROL_QUIET_EVERY_MS, async (stopping) => {
    if (takesWork()) await heating.controlQuiet(stopping)
  })
  recurring(LOOK_AFTER_LOOPS_EVERY_MS, async () => {
    if (takesWork())
      (await advanceLoopRuns(store, clock, availability)).forEach((buildingId) => void control(buildingId))
  })
  recurring(FIT_EVERY_MS, async () => {
    if (takesWork()) await fitting.fitNext()
  })
  recurring(COUNT_HEAT_EVERY_MS, async () => {
    if (takesWork()) await countNext({ store, clock })
  })
  const countFleet = async () => {
    const fleet = await fleetOf(store, clock.now(), settings.silent_after_s)
    metrics.gateways.set({ state: 'available' }, fleet.available)
    metrics.gateways.set({ state: 'silent' }, fleet.silent)
    metrics.gateways.set({ state: 'not_following' }, fleet.notFollowing)
    metrics.gatewaysBuffered.set(fleet.buffered)
    metrics.fitsOverdue.set(fleet.fitsOverdue)
  }
  await countFleet()
  recurring(COUNT_FLEET_EVERY_MS, countFleet)
  metrics.beforeRead.push(() => metrics.brokerConnected.set({ broker: broker.kind }, mqtt.isUp ? 1 : 0))
  const steps = new StepWatch(clock)
  recurring(ROLL_UP_EVERY_MS, async (stopping) => {
    if (!steps.isSettled()) return
    await alone('roll-up', () => rollUpAll(store, clock.now(), retentionOf(settings), stopping))
  })
  recurring(FORGET_KEYS_EVERY_MS, async (stopping) => {
    if (!steps.isSettled()) return
    await alone('keys', () => forgetEndedKeys(store, clock.now(), settings.ended_key_days))
    await alone('change-log', () => forgetChanges(store, clock.now(), settings.change_log_days))
    await alone('webhook-deliveries', () => forgetDeliveries(store, clock.now()))
    await alone('meters', () => thinMeterReadings(store, clock.now()))
    await alone('source', () => learnSources(store, clock, stopping))
  })
  recurring(REMOVE_ENDED_ROLES_EVERY_MS, async () => {
    if (steps.isSettled()) await alone('ended-roles', () => removeEndedRoles(store, clock))
  })
  const { rateWindows } = store
  if (rateWindows)
    recurring(FORGET_WINDOWS_EVERY_MS, () => alone('rate-windows', () => rateWindows.forget(clock.now())))
  // By the real clock, whatever the service goes by: the sign-in library does.
  recurring(FORGET_VERIFICATIONS_EVERY_MS, () =>
    alone('verifications', () => forgetExpiredVerifications(store, systemClock.now())),
  )
  if (weather) {
    const update = () =>
      alone('weather', () => updateWeather({ store, clock, logger, provider: weather, random: Math.random }, stopping))
    void update().catch((err) => logger.error({ err }, 'no weather'))
    recurring(WEATHER_EVERY_MS, update)
  }
  recurring(PRICES_EVERY_MS, () => alone('gateway-prices', () => keepGatewayPrices(store, clock)))
  if (prices)
    recurring(PRICES_EVERY_MS, () =>
      alone('prices', () => updatePrices({ store, clock, logger, provider: prices, random: Math.random })),
    )
  if (discovery !== undefined) work.push(startDiscovery(parts, discovery, follow))
  return {
    mqtt: mqtt.address,
    control(buildingId) {
      if (isOwn(buildingId)) follow(buildingId)
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
      following.stop()
      await replays.stop()
      await Promise.all(work.map((each) => each.stop()))
      await mqtt.stopReceiving()
      await fitting.stop()
      await heating.stop()
      await mqtt.stop()
    },
  }
}

/** One process publishes to Home Assistant; another takes over when it ends. */
function startDiscovery(
  { settings, store, clock, logger, alone }: IngestParts,
  url: string,
  onBuildingChanged: (buildingId: string) => void,
): { stop(): Promise<void> } {
  const availability = { silentAfterS: settings.silent_after_s }
  const stopping = new AbortController()
  const tell = async (lost: AbortSignal) => {
    const installation = await installationOf(store)
    const parts = { store, clock, logger, availability, url, installation, version: VERSION, onBuildingChanged }
    const { HomeAssistantDiscovery } = await import('../doors/mqtt/ha-discovery.ts')
    const homeAssistant = new HomeAssistantDiscovery(parts)
    homeAssistant.start()
    await aborted(AbortSignal.any([lost, stopping.signal]))
    await homeAssistant.stop()
  }
  const turns = repeat(SEEK_HOME_ASSISTANT_EVERY_MS, () => alone('home-assistant', tell), logger)
  return {
    async stop() {
      stopping.abort()
      await turns.stop()
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The embedded broker is for gateways alone. */
function discoveryUrl({ ha_discovery, mqtt_url }: IngestChoice): string | undefined {
  if (!ha_discovery) return undefined
  if (mqtt_url !== undefined) return mqtt_url
  throw new StartupError(
    'HYPOCAUST_HA_DISCOVERY=1 needs the MQTT broker that Home Assistant uses: HYPOCAUST_MQTT_URL=mqtt://host:1883',
  )
}

const retentionOf = (settings: IngestChoice): Retention => ({
  rawDays: settings.history_raw_days,
  fiveMinuteDays: settings.history_five_minute_days,
  hourlyDays: settings.history_hourly_days,
  decisionDays: settings.history_decision_days,
})
