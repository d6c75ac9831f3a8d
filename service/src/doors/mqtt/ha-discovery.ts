import {
  type AppAlert,
  BOOST,
  type Building,
  type BuildingAway,
  MAX_TARGET_C,
  MIN_TARGET_C,
  matches,
  PresencePut,
  type RoomAir,
  USUAL_AWAY_C,
} from '@hypocaust/domain'
import type { MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { airOf } from '../../house/air/air.ts'
import { awayOf, putAway } from '../../house/buildings/away.ts'
import { type Availability, allBuildings, buildingView } from '../../house/buildings/buildings.ts'
import { reportPresence } from '../../house/buildings/presence.ts'
import { actingAs } from '../../house/change-log/actor.ts'
import { changeRoom, patchRoom } from '../../house/rooms/manage.ts'
import { endOverrides, overrideRooms } from '../../house/rooms/override.ts'
import { dialRoom, type RoomNow, roomsNow, setFloorMinimum } from '../../house/rooms/thermostat.ts'
import { standingAlerts } from '../../people/alerts/alerts.ts'
import { KeyedQueue } from '../../processes/keyed-queue.ts'
import { repeat } from '../../processes/repeat.ts'
import type { Store } from '../../store/store.ts'
import { awayIn, commandOf, homeIn } from './ha-discovery-commands.ts'
import {
  BIRTH_TOPIC,
  buildingAvailability,
  buildingConfig,
  buildingState,
  DISCOVERY_FILTER,
  DISCOVERY_ROOT,
  MOVES,
  OFFLINE,
  OLD_TOPICS,
  ONLINE,
  type Origin,
  type Place,
  roomConfig,
  roomState,
  type Topics,
  topicsOf,
} from './ha-discovery-messages.ts'
import { connectLasting } from './lasting-client.ts'

const HOME_ASSISTANT = { kind: 'home_assistant', name: '' } as const

interface DiscoveryParts {
  store: Store
  clock: Clock
  logger: Logger
  availability: Availability
  url: string
  /** Which of the services on the broker this is. */
  installation: string
  version: string
  onBuildingChanged(buildingId: string): void
  /** How often to look for what has changed; 2 s unless given. */
  everyMs?: number
}

const LOOK_EVERY_MS = 2000
const LIMITS = { min_temp: MIN_TARGET_C, max_temp: MAX_TARGET_C }

/** Tells Home Assistant about every room over a broker outside, and carries what it asks for. */
export class HomeAssistantDiscovery {
  readonly #parts: DiscoveryParts
  readonly #origin: Origin
  readonly #topics: Topics
  readonly #queue = new KeyedQueue()
  /** What the broker retains of ours, by topic: only what differs is said again. */
  readonly #said = new Map<string, string>()
  /** Rooms and buildings that the broker has a configuration of, on this installation's topics and on those of before. */
  readonly #configured = new Set<string>()
  readonly #configuredBefore = new Set<string>()
  /** Rooms and buildings that exist, and the building of each. */
  #buildingOf = new Map<string, string>()
  #client: MqttClient | undefined
  #looking: { stop(): Promise<void> } | undefined
  #isEnding = false

  constructor(parts: DiscoveryParts) {
    this.#parts = parts
    this.#topics = topicsOf(parts.installation)
    this.#origin = { name: 'Hypocaust', sw_version: parts.version }
  }

  start(): void {
    const { url, logger, everyMs = LOOK_EVERY_MS } = this.#parts
    const will = { topic: this.#topics.service, payload: Buffer.from(OFFLINE), qos: 1 as const, retain: true }
    const client = connectLasting(url, 'the MQTT broker of Home Assistant', logger, { will })
    this.#client = client
    client.on('connect', () => void this.#sayEverything())
    client.on('message', (topic, payload, { retain }) => this.#hear(topic, payload.toString(), retain))
    this.#looking = repeat(everyMs, () => this.#look(), logger)
  }

  async stop(): Promise<void> {
    await this.#looking?.stop()
    // Its own last words come back to it as those of another process, and would be answered.
    this.#isEnding = true
    await this.#queue.idle()
    if (this.#client?.connected) await this.#publish(this.#topics.service, OFFLINE)
    await this.#client?.endAsync(true)
  }

  /** At every connection, and when Home Assistant has started: neither may remember anything. */
  async #sayEverything(): Promise<void> {
    try {
      this.#said.clear()
      const { service, commands, presence } = this.#topics
      await this.#client?.subscribeAsync([BIRTH_TOPIC, service, commands, presence, DISCOVERY_FILTER], { qos: 1 })
      await this.#look()
    } catch (err) {
      this.#parts.logger.warn({ err }, 'not all rooms were published for Home Assistant; retrying at the next update')
    }
  }

  #look(): Promise<void> {
    return this.#queue.request('look', async () => {
      if (this.#isEnding || !this.#client?.connected) return
      const { store, clock, availability } = this.#parts
      const found = new Map<string, string>()
      const rows = await allBuildings(store)
      for (const row of rows) {
        if (this.#isEnding) return
        const nowMs = clock.now()
        const [rooms, air, away, alerts] = await Promise.all([
          roomsNow(store, row.id, nowMs),
          airOf(store, row.id, nowMs),
          awayOf(store, row.id, nowMs),
          standingAlerts(store, [row.id], availability, nowMs),
        ])
        for (const id of [row.id, ...rooms.map((room) => room.id)]) found.set(id, row.id)
        const building = buildingView(row, availability, nowMs)
        await this.#tell({ building, rooms, air, away, alerts, isOneOfSeveral: rows.length > 1, nowMs })
      }
      for (const id of this.#configured) if (!found.has(id)) await this.#withdraw(id)
      this.#buildingOf = found
      await this.#say(this.#topics.service, ONLINE)
    })
  }

  /** A device before those that hang on it, and what exists before how it is. */
  async #tell({ building, rooms, air, away, alerts, isOneOfSeveral, nowMs }: House): Promise<void> {
    const topics = this.#topics
    await this.#configure(building.id, buildingConfig(building, topics, this.#origin))
    for (const room of rooms) {
      await this.#configure(room.id, roomConfig(room, { building, isOneOfSeveral }, topics, this.#origin))
      await this.#say(topics.state(room.id), JSON.stringify(roomState(room, air.get(room.id), alerts)))
    }
    await this.#say(topics.state(building.id), JSON.stringify(buildingState(building, away, alerts, nowMs)))
    await this.#say(topics.availability(building.id), buildingAvailability(building))
  }

  async #configure(id: string, config: object): Promise<void> {
    const topic = this.#topics.config(id)
    const isOnOldTopic = this.#configuredBefore.has(id)
    if (isOnOldTopic) {
      // In this order Home Assistant keeps the entities with their names, areas and history.
      await this.#publish(OLD_TOPICS.config(id), MOVES)
      if (this.#said.delete(topic)) await this.#publish(topic, '')
    }
    await this.#say(topic, JSON.stringify(config))
    this.#configured.add(id)
    if (!isOnOldTopic) return
    for (const old of [OLD_TOPICS.config(id), ...OLD_TOPICS.states(id)]) await this.#publish(old, '')
    this.#configuredBefore.delete(id)
  }

  /** An empty message deletes, at the broker and in Home Assistant. */
  async #withdraw(id: string): Promise<void> {
    for (const topic of [this.#topics.config(id), this.#topics.state(id), this.#topics.availability(id)]) {
      await this.#publish(topic, '')
      this.#said.delete(topic)
    }
    this.#configured.delete(id)
  }

  async #say(topic: string, text: string): Promise<void> {
    if (this.#said.get(topic) === text) return
    await this.#publish(topic, text)
    this.#said.set(topic, text)
  }

  /** Nothing is kept for a broker that is away: at its return everything is said anew. */
  async #publish(topic: string, text: string): Promise<void> {
    if (!this.#client?.connected) throw new Error('the MQTT broker of Home Assistant is away')
    await this.#client.publishAsync(topic, text, { qos: 1, retain: true })
  }

  #hear(topic: string, text: string, isRetained: boolean): void {
    if (topic === BIRTH_TOPIC) {
      if (text === ONLINE) void this.#sayEverything()
      return
    }
    if (topic === this.#topics.service) {
      // The last words of another process, which was here before us.
      if (text === OFFLINE && this.#said.delete(topic)) void this.#look()
      return
    }
    if (this.#noteConfig(topic, text)) return
    // A retained command would be obeyed anew at every start.
    if (!isRetained) void this.#queue.run('commands', () => this.#obey(topic, text))
  }

  /** What is left over from a removed room, or from before, is dealt with at the next look. */
  #noteConfig(topic: string, text: string): boolean {
    if (!topic.startsWith(DISCOVERY_ROOT)) return false
    const own = this.#topics.idOfConfig(topic)
    const old = OLD_TOPICS.idOfConfig(topic)
    if (own !== undefined && text !== '') this.#configured.add(own)
    if (old !== undefined && text !== '' && text !== MOVES) this.#configuredBefore.add(old)
    return true
  }

  async #obey(topic: string, text: string): Promise<void> {
    const { logger, onBuildingChanged } = this.#parts
    const person = this.#topics.personOf(topic)
    const { id = person?.buildingId ?? '', what = '' } = this.#topics.setting(topic) ?? {}
    const buildingId = this.#buildingOf.get(id)
    const carryOut =
      buildingId === undefined
        ? undefined
        : person
          ? this.#reportOf(person, text)
          : this.#deedOf(buildingId, id, what, text)
    if (!carryOut || buildingId === undefined) {
      logger.warn(
        { topic, payload: text.slice(0, 100) },
        'not a command for a room, and no report of a person; ignored',
      )
      return
    }
    try {
      await actingAs(HOME_ASSISTANT, carryOut)
      onBuildingChanged(buildingId)
      await this.#look()
    } catch (err) {
      logger.error({ err, topic }, 'a command of Home Assistant was not carried out')
    }
  }

  /** Only a building has people. */
  #reportOf({ buildingId, name }: { buildingId: string; name: string }, text: string) {
    const { store, clock } = this.#parts
    const home = homeIn(text)
    const report = { people: [{ name, home: home ?? null }] }
    if (home === undefined || this.#buildingOf.get(buildingId) !== buildingId || !matches(PresencePut, report)) return
    return () => reportPresence(store, clock, buildingId, report)
  }

  /** What a command asks for; undefined where it makes no sense. */
  #deedOf(buildingId: string, id: string, what: string, text: string): (() => Promise<unknown>) | undefined {
    const { store, clock } = this.#parts
    if (id === buildingId) {
      const isAway = awayIn(what, text)
      const away = isAway ? { until: null, target_temperature: USUAL_AWAY_C } : null
      return isAway === undefined ? undefined : () => putAway(store, clock, buildingId, away)
    }
    const scope = { buildingId, roomId: id }
    const command = commandOf(what, text, LIMITS)
    switch (command?.kind) {
      case 'patch':
        return () => patchRoom(store, clock, scope, command.patch)
      case 'dial':
        return () => dialRoom(store, clock, scope, command.celsius)
      case 'target_of':
        return () => changeRoom(store, clock, scope, { target_of: command.targetOf })
      case 'floor_minimum':
        return () => setFloorMinimum(store, clock, scope, command.celsius)
      case 'boost':
        return () => overrideRooms(store, clock, buildingId, [id], { boost: BOOST.kelvin, hours: BOOST.hours })
      case 'end_override':
        return () => endOverrides(store, clock, buildingId, [id])
      default:
        return undefined
    }
  }
}

interface House extends Place {
  building: Building
  rooms: RoomNow[]
  air: Map<string, RoomAir>
  away: BuildingAway | null
  alerts: AppAlert[]
  nowMs: number
}
