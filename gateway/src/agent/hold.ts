import { matches } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import { parseJson } from '../base/json.ts'

/** Said on the device broker by `test`, so that a running agent leaves the channel alone meanwhile. */
const Hold = Type.Object({
  channel: Type.Integer({ minimum: 1, maximum: 256 }),
  seconds: Type.Number({ minimum: 0, maximum: 3600 }),
})
type Hold = Static<typeof Hold>

export const holdTopic = (gatewayId: string): string => `hypocaust-${gatewayId}/hold`

export function parseHold(payload: Uint8Array): Hold | undefined {
  const value = parseJson(payload)
  return matches(Hold, value) ? value : undefined
}
