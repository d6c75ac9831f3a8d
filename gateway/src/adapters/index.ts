import { profiles } from '../profiles/load.ts'
import type { SensorRule } from '../profiles/schema.ts'
import type { Publish } from '../valves/driver.ts'
import {
  type Adapter,
  type Contact,
  type DeviceMessage,
  type Heard,
  ignored,
  type Measured,
  together,
  topicMatches,
  type Understood,
} from './adapter.ts'
import { type BthomeSettings, bthome, type Counters } from './bthome.ts'
import { entities } from './entities.ts'
import { mapped } from './mapped.ts'
import { ruuvi } from './ruuvi.ts'
import { shelly } from './shelly.ts'
import { type TasmotaSettings, tasmota } from './tasmota.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

/** A profile in use, with what the file changes of it. */
export interface ProfileUse {
  profile: string
  parameters: Readonly<Record<string, string>>
}

export interface SensorSources {
  profiles: readonly ProfileUse[]
  /** Mappings of gateway.yaml: a message that one of them understands is not read by a profile as well. */
  rules: readonly SensorRule[]
  bthome: BthomeSettings
  tasmota: TasmotaSettings
}

interface AdapterOptions {
  /** Null: nothing counts as repeated. */
  counters: Counters | null
  /** What a zigbee2mqtt name means before the list of devices has arrived. */
  beforeTheList: 'wait' | 'derive'
  /** Where devices send their answers; null: none is asked. */
  replyTo: string | null
}

/** What the agent goes on with. */
export interface News {
  readings: Heard[]
  floors: Heard[]
  contacts: (Contact & { measuredMs: number })[]
}

const TOO_OLD_MS = 3_600_000

interface Row {
  pattern: string
  adapter: Adapter
}

/** The table from topic to adapter. */
export class Adapters {
  readonly subscriptions: readonly string[]
  readonly #own: Row[]
  readonly #profiles: Row[]

  constructor(sources: SensorSources, options: AdapterOptions) {
    const own = mapped({ rules: sources.rules, family: '', parameters: {} })
    this.#own = rowsOf([own])
    this.#profiles = rowsOf(sources.profiles.map((use) => adapterOf(use, sources, options)))
    this.subscriptions = [...new Set([...this.#own, ...this.#profiles].map((row) => row.pattern))]
  }

  understand(message: DeviceMessage): Understood {
    const own = meant(this.#own, message)
    if (own && own.why === null) return own
    const profile = meant(this.#profiles, message)
    if (own && profile) return together([profile, own])
    return own ?? profile ?? ignored('no profile and no mapping of the configuration knows this topic')
  }

  /** What the adapters want to know of devices. */
  questions(): Publish[] {
    return this.#profiles.flatMap(({ adapter }) => adapter.questions?.() ?? [])
  }

  knows(topic: string): boolean {
    return [...this.#own, ...this.#profiles].some((row) => topicMatches(row.pattern, topic))
  }

  /** Only what is of now: a state of unknown or great age must not steer. */
  read(message: DeviceMessage): News {
    const { readings, floors, contacts } = this.understand(message)
    const fresh = <T extends { measuredMs: number | null; repeated?: boolean }>(all: T[]) =>
      all
        .filter((each) => isFresh(each, message))
        .map((each) => ({ ...each, measuredMs: Math.min(each.measuredMs ?? message.nowMs, message.nowMs) }))
    return {
      readings: fresh(readings).map(withoutName),
      floors: fresh(floors).map(withoutName),
      contacts: contacts.map((each) => ({
        ...each,
        measuredMs: Math.min(each.measuredMs ?? message.nowMs, message.nowMs),
      })),
    }
  }
}

function adapterOf({ profile, parameters }: ProfileUse, sources: SensorSources, options: AdapterOptions): Adapter {
  const { decoder, sensors = [], parameters: defaults = {} } = profiles().get(profile) ?? {}
  const given = { ...defaults, ...parameters }
  switch (decoder) {
    case 'zigbee2mqtt':
      return zigbee2mqtt({ base: given.base ?? 'zigbee2mqtt', beforeTheList: options.beforeTheList })
    case 'bthome':
      return bthome(sources.bthome, options.counters)
    case 'tasmota':
      return tasmota(sources.tasmota)
    case 'shelly':
      return shelly({ replyTo: options.replyTo })
    case 'entities':
      return entities({ base: given.base ?? '+' })
    case 'ruuvi':
      return ruuvi({ base: given.base ?? 'ruuvi' })
    case undefined:
      return mapped({ rules: sensors, family: profile, parameters: given })
  }
}

const rowsOf = (adapters: readonly Adapter[]): Row[] =>
  adapters.flatMap((adapter) => adapter.subscriptions.map((pattern) => ({ pattern, adapter })))

function meant(rows: readonly Row[], message: DeviceMessage): Understood | undefined {
  const adapters = new Set(rows.filter((row) => topicMatches(row.pattern, message.topic)).map((row) => row.adapter))
  return adapters.size > 0 ? together([...adapters].map((adapter) => adapter.understand(message))) : undefined
}

function isFresh({ measuredMs, repeated }: { measuredMs: number | null; repeated?: boolean }, message: DeviceMessage) {
  if (measuredMs === null) return !message.retained && repeated !== true
  return message.nowMs - measuredMs <= TOO_OLD_MS
}

const withoutName = ({ name: _, repeated: __, ...heard }: Measured & { measuredMs: number }): Heard => heard
