import { parseJson, textOf } from '../base/json.ts'
import { valueIn } from '../profiles/path.ts'
import type { Driver, Feedback, MqttRelay } from './driver.ts'

/** Any relay with topics of its own: what the topics and payloads are stands in the configuration or in a profile. */
export const mqtt: Driver = {
  goesBack: (on, { mqtt: relay }) => on && (relay?.autoOffS ?? null) !== null,

  confirms: ({ mqtt: relay }) => (relay?.state ? 'changes' : 'never'),

  publishes: ({ mqtt: relay }, { on }) =>
    relay?.set?.kind === 'switch' ? [{ topic: relay.set.topic, payload: on ? relay.set.on : relay.set.off }] : [],

  subscriptions: ({ mqtt: relay }) => mqttSubscriptions(relay),

  feedback: ({ mqtt: relay }, topic, payload) => {
    const online = relay && onlineIn(relay, topic, payload)
    if (online !== undefined) return { kind: 'online', online }
    const { state } = relay ?? {}
    if (state?.topic !== topic) return undefined
    const said = parseJson(payload) ?? textOf(payload)
    const on = match(valueIn(said, state.path), state)
    const watts = state.watts === null ? undefined : valueIn(said, state.watts)
    const feedback: Feedback = { kind: 'state', on: on === true, watts: typeof watts === 'number' ? watts : null }
    return on === undefined ? undefined : feedback
  },
}

export const mqttSubscriptions = (relay: MqttRelay | undefined): string[] =>
  [relay?.state?.topic, relay?.online?.topic].filter((topic) => topic !== undefined)

export function onlineIn({ online }: MqttRelay, topic: string, payload: Uint8Array): boolean | undefined {
  if (online?.topic !== topic) return undefined
  return match(valueIn(parseJson(payload) ?? textOf(payload), online.path), online)
}

/** Without a word for off, everything but the word for on means off. */
function match(value: unknown, { on, off }: { on: string; off: string | null }): boolean | undefined {
  if (value === undefined || value === null) return undefined
  const text = String(value).toLowerCase()
  if (text === on.toLowerCase()) return true
  return off === null || text === off.toLowerCase() ? false : undefined
}
