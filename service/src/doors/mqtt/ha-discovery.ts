import { type Building, MAX_TARGET_C, MIN_TARGET_C, type Room } from '@hypocaust/domain'
import type { MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { type Availability, buildingsOf, buildingView } from '../../house/buildings/buildings.ts'
import { patchRoom } from '../../house/rooms/manage.ts'
import { roomsOf } from '../../house/rooms/rooms.ts'
import { roomView } from '../../house/rooms/view.ts'
import { KeyedQueue } from '../../processes/keyed-queue.ts'
import { repeat } from '../../processes/repeat.ts'
import type { Store } from '../../store/store.ts'
import {
  availabilityTopic,
  BIRTH_TOPIC,
  buildingAvailability,
  buildingConfig,
  buildingState,
  COMMAND_FILTER,
  commandOf,
  configTopic,
  DISCOVERY_FILTER,
  idOfConfigTopic,
  OFFLINE,
  ONLINE,
  type Origin,
  roomConfig,
  roomState,
  SERVICE_TOPIC,
  stateTopic,
} from './ha-discovery-messages.ts'
import { connectLasting } from './lasting-client.ts'

export interface DiscoveryParts {
  store: Store
  clock: Clock
  logger: Logger
  availability: Availability
  url: string
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
  readonly #queue = new KeyedQueue()
  /** What the broker retains of ours, by topic: only what differs is said again. */
  readonly #said = new Map<string, string>()
  /** Rooms and buildings that exist, and the building of each. */
  #buildingOf = new Map<string, string>()
  #client: MqttClient | undefined
  #looking: { stop(): Promise<void> } | undefined

  constructor(parts: DiscoveryParts) {
    this.#parts = parts
    this.#origin = { name: 'Hypocaust', sw_version: parts.version }
  }

  start(): void {
    const { url, logger, everyMs = LOOK_EVERY_MS } = this.#parts
    const will = { topic: SERVICE_TOPIC, payload: Buffer.from(OFFLINE), qos: 1 as const, retain: true }
    const client = connectLasting(url, 'the MQTT broker of Home Assistant', logger, { will })
    this.#client = client
    client.on('connect', () => void this.#sayEverything())
    client.on('message', (topic, payload, { retain }) => this.#hear(topic, payload.toString(), retain))
    this.#looking = repeat(everyMs, () => this.#look(), logger)
  }

  async stop(): Promise<void> {
    await this.#looking?.stop()
    await this.#queue.idle()
    if (this.#client?.connected) await this.#publish(SERVICE_TOPIC, OFFLINE)
    await this.#client?.endAsync(true)
  }

  /** At every connection, and when Home Assistant has started: neither may remember anything. */
  async #sayEverything(): Promise<void> {
    try {
      this.#said.clear()
      await this.#look()
      await this.#client?.subscribeAsync([BIRTH_TOPIC, SERVICE_TOPIC, COMMAND_FILTER, DISCOVERY_FILTER], { qos: 1 })
    } catch (err) {
      this.#parts.logger.warn({ err }, 'not all rooms were published for Home Assistant; retrying at the next update')
    }
  }

  #look(): Promise<void> {
    return this.#queue.request('look', async () => {
      if (!this.#client?.connected) return
      const { store, clock, availability } = this.#parts
      const accounts = await store.db.selectFrom('buildings').select('accountId').distinct().execute()
      const found = new Map<string, string>()
      for (const { accountId } of accounts) {
        for (const row of await buildingsOf(store, accountId)) {
          const building = buildingView(row, availability, clock.now())
          const rooms = (await roomsOf(store, row.id)).map((room) => roomView(room, clock.now()))
          for (const id of [row.id, ...rooms.map((room) => room.id)]) found.set(id, row.id)
          await this.#tell(building, rooms)
        }
      }
      for (const id of this.#buildingOf.keys()) if (!found.has(id)) await this.#withdraw(id)
      this.#buildingOf = found
      await this.#say(SERVICE_TOPIC, ONLINE)
    })
  }

  /** A device before those that hang on it, and what exists before how it is. */
  async #tell(building: Building, rooms: Room[]): Promise<void> {
    await this.#say(configTopic(building.id), JSON.stringify(buildingConfig(building, this.#origin)))
    for (const room of rooms) {
      await this.#say(configTopic(room.id), JSON.stringify(roomConfig(room, building.id, this.#origin)))
      await this.#say(stateTopic(room.id), JSON.stringify(roomState(room)))
    }
    await this.#say(stateTopic(building.id), JSON.stringify(buildingState(building)))
    await this.#say(availabilityTopic(building.id), buildingAvailability(building))
  }

  /** An empty message deletes, at the broker and in Home Assistant. */
  async #withdraw(id: string): Promise<void> {
    for (const topic of [configTopic(id), stateTopic(id), availabilityTopic(id)]) {
      await this.#publish(topic, '')
      this.#said.delete(topic)
    }
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
    if (topic === SERVICE_TOPIC) {
      // The last words of another process, which was here before us.
      if (text === OFFLINE && this.#said.delete(topic)) void this.#look()
      return
    }
    const configured = idOfConfigTopic(topic)
    if (configured !== undefined) {
      // Left over from a room that was removed while the service was not running.
      if (text !== '' && !this.#buildingOf.has(configured))
        void this.#queue.run('look', () => this.#withdraw(configured))
      return
    }
    // A retained command would be obeyed anew at every start.
    if (!isRetained) void this.#queue.run('commands', () => this.#obey(topic, text))
  }

  async #obey(topic: string, text: string): Promise<void> {
    const { store, clock, logger, onBuildingChanged } = this.#parts
    const command = commandOf(topic, text, LIMITS)
    const buildingId = command && this.#buildingOf.get(command.roomId)
    if (!command || buildingId === undefined) {
      logger.warn({ topic, payload: text.slice(0, 100) }, 'not a command for a room; ignored')
      return
    }
    try {
      await patchRoom(store, clock, { buildingId, roomId: command.roomId }, command.patch)
      onBuildingChanged(buildingId)
      await this.#look()
    } catch (err) {
      logger.error({ err, topic }, 'a command of Home Assistant was not carried out')
    }
  }
}
