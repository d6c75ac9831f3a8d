import { isObject, type JsonObject, parseJson, parseObject } from '../base/json.ts'
import { type Driver, type Feedback, stateFeedback } from './driver.ts'

/** Shelly Gen2 and later: remote calls over MQTT. `toggle_after` flips the relay back by itself, either way. */
export const shelly: Driver = {
  goesBack: () => true,
  confirms: () => 'every command',

  publishes: ({ topic, output }, { on, backAfterS }, { replyTo, id }) => {
    const params = { id: Number(output), on, ...(backAfterS !== null && { toggle_after: Math.ceil(backAfterS) }) }
    return [{ topic: `${topic}/rpc`, payload: JSON.stringify({ id, src: replyTo, method: 'Switch.Set', params }) }]
  },

  stateRequests: ({ topic, output }, { replyTo, id }) => {
    const call = { id, src: replyTo, method: 'Switch.GetStatus', params: { id: Number(output) } }
    return [{ topic: `${topic}/rpc`, payload: JSON.stringify(call) }]
  },

  subscriptions: ({ topic, output }, { replyTo }) => [
    `${topic}/status/switch:${output}`,
    `${topic}/events/rpc`,
    `${topic}/online`,
    `${replyTo}/rpc`,
  ],

  feedback: ({ topic: prefix, output }, topic, payload, { replyTo, id }) => {
    if (topic === `${prefix}/online`) return onlineFeedback(parseJson(payload))
    const said = parseObject(payload)
    if (!said) return undefined
    if (topic === `${prefix}/status/switch:${output}`) return switchFeedback(said)
    if (topic === `${replyTo}/rpc`) return said.id === id ? reply(said) : undefined
    const part = isObject(said.params) ? said.params[`switch:${output}`] : undefined
    return topic === `${prefix}/events/rpc` && isObject(part) ? switchFeedback(part) : undefined
  },
}

function onlineFeedback(value: unknown): Feedback | undefined {
  return typeof value === 'boolean' ? { kind: 'online', online: value } : undefined
}

function switchFeedback({ output, apower }: JsonObject): Feedback | undefined {
  return stateFeedback(typeof output === 'boolean' ? output : undefined, typeof apower === 'number' ? apower : null)
}

/** The reply to Switch.Set tells the state before it, the reply to Switch.GetStatus the state now. */
function reply({ error, result }: JsonObject): Feedback | undefined {
  if (isObject(result) && typeof result.was_on === 'boolean') return { kind: 'was', on: result.was_on }
  if (isObject(result)) return switchFeedback(result)
  if (!isObject(error)) return undefined
  return { kind: 'refused', why: String(error.message ?? 'no reason given').slice(0, 200) }
}
