import type { DeviceMessage } from '../adapters/adapter.ts'
import { Adapters, type ProfileUse } from '../adapters/index.ts'
import { sourcesOf } from '../config/sensors.ts'
import { profiles } from '../profiles/load.ts'
import { type FoundRelay, relaysFound } from './found-relays.ts'
import { type Entity, entitiesIn } from './home-assistant.ts'
import { type Offers, offersOf } from './offers.ts'
import { type Proposal, proposalsIn } from './unknown.ts'

export interface FoundSensor {
  id: string
  /** The place behind a derived id. */
  name: string | null
  /** The profile that read it, and what the file must say of it; null where the profile's defaults do. */
  profile: string
  parameters: Readonly<Record<string, string>>
  kind: 'thermometer' | 'contact' | 'encrypted'
  /** Null when it cannot be read yet, or is a contact. */
  temperature: number | null
}

/** The topics that tell the base of a family. */
const BASES: readonly { profile: string; topic: RegExp }[] = [
  { profile: 'openmqttgateway', topic: /^(.+)\/[^/]+\/BTtoMQTT\/[^/]+$/ },
  { profile: 'zigbee2mqtt', topic: /^(.+)\/bridge\/(?:state|devices)$/ },
]

/** What speaks on a broker. It only listens; nothing heard here moves anything. */
export class Finder {
  readonly sensors = new Map<string, FoundSensor>()
  readonly relays = new Map<string, FoundRelay>()
  readonly proposals = new Map<string, Proposal>()
  /** What bridges announce to Home Assistant. */
  readonly #entities = new Map<string, Entity>()
  readonly #readers = new Map<string, { use: ProfileUse; adapters: Adapters }>()

  constructor() {
    for (const profile of profiles().keys()) this.#use({ profile, parameters: {} })
  }

  hear(message: DeviceMessage): void {
    this.#findBase(message.topic)
    for (const relay of relaysFound(message)) this.#addRelay(relay)
    for (const entity of entitiesIn(message)) this.#entities.set(entity.key, entity)
    const found = [...this.#readers.values()].flatMap(({ use, adapters }) => sensorsIn(adapters, use, message))
    for (const sensor of found) this.#addSensor(sensor)
    if (found.length > 0 || this.#isKnown(message.topic)) return
    for (const proposal of proposalsIn(message))
      this.proposals.set(JSON.stringify([proposal.topic, proposal.temperature]), proposal)
  }

  #findBase(topic: string): void {
    for (const { profile, topic: form } of BASES) {
      const base = form.exec(topic)?.[1]
      if (base !== undefined && base !== profiles().get(profile)?.parameters?.base)
        this.#use({ profile, parameters: { base } })
    }
  }

  #use(use: ProfileUse): void {
    const key = JSON.stringify(use)
    if (this.#readers.has(key)) return
    const adapters = new Adapters(
      { ...sourcesOf({}), profiles: [use] },
      { counters: null, beforeTheList: 'wait', replyTo: null },
    )
    this.#readers.set(key, { use, adapters })
  }

  /** A topic that a profile reads is no unknown one, also when this message says nothing of a room. */
  #isKnown(topic: string): boolean {
    return [...this.#readers.values()].some(({ adapters }) => adapters.knows(topic))
  }

  /** Entities of Home Assistant that no profile or driver knows by itself. */
  get offers(): Offers {
    const ofRelay = (topic: string) =>
      [...this.relays.values()].some((relay) => `/${topic}/`.includes(`/${relay.topic}/`))
    return offersOf([...this.#entities.values()], (topic) => this.#isKnown(topic) || ofRelay(topic))
  }

  #addSensor(sensor: FoundSensor): void {
    const known = this.sensors.get(sensor.id)
    if (!known || sensor.temperature !== null) this.sensors.set(sensor.id, sensor)
  }

  /** A second message may tell the name, the model or the room that the first one did not. */
  #addRelay(relay: FoundRelay): void {
    const key = JSON.stringify([relay.driver, relay.topic, relay.output])
    const known = Object.fromEntries(Object.entries(relay).filter(([, value]) => value !== null))
    this.relays.set(key, { ...relay, ...this.relays.get(key), ...known })
  }
}

function sensorsIn(adapters: Adapters, { profile, parameters }: ProfileUse, message: DeviceMessage): FoundSensor[] {
  const { readings, contacts, sealed } = adapters.understand(message)
  return [
    ...readings.map(({ id, name, temperature }) => ({ id, name, temperature, kind: 'thermometer' as const })),
    ...contacts.map(({ id, name }) => ({ id, name, temperature: null, kind: 'contact' as const })),
    ...(sealed ? [{ id: sealed, name: null, temperature: null, kind: 'encrypted' as const }] : []),
  ].map((sensor) => ({ ...sensor, profile, parameters }))
}
