import { Position } from './position.ts'
import { Relay, type RelayParts, type Switch } from './relay.ts'

/** The output as its settings describe it: a relay, or an actuator with a position. */
export function switchOf(parts: RelayParts): Switch {
  const { name, settings, publish, log } = parts
  const { mqtt } = settings
  if (mqtt?.set?.kind === 'percent') return new Position({ name, mqtt, set: mqtt.set, publish, log })
  return new Relay(parts)
}
