import { parsePayload, TOPIC_ROOT, UP } from '@hypocaust/domain'
import type { Static } from 'typebox'
import type { MqttMessage } from './link.ts'

export type UpName = keyof typeof UP
type Payload = { [Name in UpName]: { name: Name; value: Static<(typeof UP)[Name]> } }[UpName]

/** A message of a gateway. */
export interface UpMessage {
  gatewayId: string
  payload: Payload
}

export interface UnreadableMessage {
  gatewayId: string
  name: UpName
  why: string
}

/** What stands in it, or why it cannot be read; undefined on a topic that the service does not know. */
export function readUpMessage({ topic, payload }: MqttMessage): UpMessage | UnreadableMessage | undefined {
  const [gatewayId = '', direction, name = '', ...deeper] = topic.slice(TOPIC_ROOT.length + 1).split('/')
  if (direction !== 'up' || !isUpName(name) || deeper.length > 0) return undefined
  const parsed = parsePayload(UP[name], payload)
  if (!parsed.ok) return { gatewayId, name, why: parsed.why }
  return { gatewayId, payload: { name, value: parsed.value } as Payload }
}

const isUpName = (name: string): name is UpName => Object.hasOwn(UP, name)
