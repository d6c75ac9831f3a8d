import { timestampOf } from '@hypocaust/domain'
import type { Contact, Measured, Understood } from '../adapters/adapter.ts'
import { bthome } from '../adapters/bthome.ts'
import { Adapters, type SensorSources } from '../adapters/index.ts'
import { sourcesOfAllProfiles } from '../config/sensors.ts'
import { type RelayReport, relayIn } from './relays.ts'

/** What `gateway read --json` prints for a message. What is unknown is left out. */
export type Reading = { readings: ReadReading[]; relay?: RelayReport } | { relay: RelayReport } | { ignored: string }

export interface ReadReading {
  /** The name in the configuration, else the id. */
  sensor: string
  /** The id towards the service, where `sensor` is a name. */
  id?: string
  /** The place behind a derived id. */
  name?: string
  temperature?: number
  floor?: number
  contact?: 'open' | 'closed'
  humidity?: number
  battery?: number
  rssi?: number
  time?: string
}

/** Says what the agent understands of a message, with the sources of a configuration or with every profile. */
export class Reader {
  readonly #adapters: Adapters
  readonly #anywhere: ReturnType<typeof bthome> | null
  readonly #names: ReadonlyMap<string, string>

  constructor(sources: SensorSources | null, names: ReadonlyMap<string, string> = new Map()) {
    this.#adapters = new Adapters(sources ?? sourcesOfAllProfiles(), {
      counters: null,
      beforeTheList: 'derive',
      replyTo: null,
    })
    this.#anywhere = sources ? null : bthome({ topics: [], keys: new Map() }, null)
    this.#names = names
  }

  read(topic: string, payload: Uint8Array): Reading {
    const message = { topic, payload, retained: false, nowMs: Date.now() }
    const understood = this.#adapters.understand(message)
    const relay = relayIn(message)
    const readings = this.#readings(understood)
    if (readings.length > 0) return { readings, ...(relay && { relay }) }
    if (relay) return { relay }
    const bare = this.#readings(this.#anywhere?.understand(message))
    return bare.length > 0 ? { readings: bare } : { ignored: understood.why ?? 'no temperature in it' }
  }

  #readings(understood: Understood | undefined): ReadReading[] {
    if (!understood) return []
    const { readings, floors, contacts } = understood
    return [
      ...readings.map((each) =>
        this.#reading(each, {
          temperature: each.temperature,
          ...(each.humidity !== null && { humidity: each.humidity }),
        }),
      ),
      ...floors.map((each) => this.#reading(each, { floor: each.temperature })),
      ...contacts.map((each) => this.#reading(each, { contact: each.open ? ('open' as const) : ('closed' as const) })),
    ]
  }

  #reading({ id, name, batt, rssi, measuredMs }: Measured | Contact, values: Partial<ReadReading>): ReadReading {
    const given = this.#names.get(id)
    return {
      sensor: given ?? id,
      ...(given !== undefined ? { id } : name !== null && { name }),
      ...values,
      ...(batt !== null && { battery: batt }),
      ...(rssi !== null && { rssi }),
      ...(measuredMs !== null && { time: timestampOf(measuredMs) }),
    }
  }
}
