import type { DeviceMessage } from '../adapters/adapter.ts'
import { parseJson, parseObject, textOf } from '../base/json.ts'
import { relaysIn } from '../discover/relays.ts'
import { profiles } from '../profiles/load.ts'
import { valueIn } from '../profiles/path.ts'
import { topicPattern, withParameters } from '../profiles/topic.ts'
import type { RelayOutput } from '../valves/driver.ts'
import { DRIVERS } from '../valves/drivers.ts'

/** The state of a relay's outputs as a message reports it; a number is a position in percent. */
export interface RelayReport {
  driver?: string
  profile?: string
  topic: string
  outputs: Record<string, boolean | number>
  watts?: number
}

const NO_ASKER = { replyTo: '', id: 0 }

export function relayIn(message: DeviceMessage): RelayReport | undefined {
  return driverReport([...relaysIn(message), ...zigbeeOutputs(message)], message) ?? profileReport(message)
}

function driverReport(outputs: RelayOutput[], { topic, payload }: DeviceMessage): RelayReport | undefined {
  const reports = outputs.flatMap((relay) => {
    const feedback = DRIVERS[relay.driver].feedback(relay, topic, payload, NO_ASKER)
    return feedback?.kind === 'state' ? [{ relay, feedback }] : []
  })
  const first = reports[0]
  if (!first) return undefined
  const watts = reports.map(({ feedback }) => feedback.watts).find((value) => value !== null)
  return {
    driver: first.relay.driver,
    topic: first.relay.topic,
    outputs: Object.fromEntries(reports.map(({ relay, feedback }) => [relay.output, feedback.on])),
    ...(watts !== undefined && { watts }),
  }
}

/** Any message of zigbee2mqtt with a `state` names its outputs itself; a lamp is not a relay. */
function zigbeeOutputs({ topic, payload }: DeviceMessage): RelayOutput[] {
  if (!topic.startsWith('zigbee2mqtt/') || /\/(?:set|get)(?:\/|$)/.test(topic)) return []
  const said = parseObject(payload) ?? {}
  if ('brightness' in said || 'color' in said) return []
  return Object.keys(said).flatMap((property) => {
    const output = /^state(?:_(\w+))?$/.exec(property)
    return output ? [{ driver: 'zigbee2mqtt' as const, topic, output: output[1] ?? '' }] : []
  })
}

function profileReport({ topic, payload }: DeviceMessage): RelayReport | undefined {
  for (const { profile, relay, parameters = {} } of profiles().values()) {
    if (!relay?.state) continue
    const named = matchOf(withParameters(relay.state.topic, parameters), topic)
    const value = named && valueIn(parseJson(payload) ?? textOf(payload), relay.state.path ?? '.')
    const state = stateOf(value, relay.state)
    if (named && state !== undefined)
      return { profile, topic: named.topic ?? '', outputs: { [named.output ?? '']: state } }
  }
  return undefined
}

/** `{topic}` may have several levels, as it stands in the configuration. */
function matchOf(pattern: string, topic: string): Record<string, string> | undefined {
  if (!pattern.startsWith('{topic}/')) return topicPattern(pattern).match(topic)
  const rest = pattern.slice('{topic}/'.length)
  const levels = topic.split('/')
  const at = levels.length - rest.split('/').length
  const named = at > 0 ? topicPattern(rest).match(levels.slice(at).join('/')) : undefined
  return named && { ...named, topic: levels.slice(0, at).join('/') }
}

function stateOf(value: unknown, { on, off }: { on?: unknown; off?: unknown }): boolean | number | undefined {
  if (value === undefined || value === null) return undefined
  if (on === undefined) return typeof value === 'number' ? value : undefined
  if (String(value) === String(on)) return true
  return String(value) === String(off) ? false : undefined
}
