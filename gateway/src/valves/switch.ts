import { Position } from './position.ts'
import { Relay, type RelayParts, type Switch } from './relay.ts'
import { ThreePoint } from './three-point.ts'

/** The output as its settings describe it: a relay, an actuator with a position, or a motor. */
export function switchOf(parts: RelayParts): Switch {
  const { name, settings, publish, log } = parts
  const { mqtt } = settings
  if (mqtt?.set?.kind === 'percent') return new Position({ name, mqtt, set: mqtt.set, publish, log })
  if (mqtt?.set?.kind === 'three-point') return new ThreePoint({ mqtt, set: mqtt.set, publish })
  return new Relay(parts)
}
