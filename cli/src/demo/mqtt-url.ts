import { isIPv6 } from 'node:net'
import type { RunningService, Settings } from '@hypocaust/service'

/** Where a gateway on the same machine finds the broker. */
export const mqttUrlOf = ({ host }: Settings, { mqtt }: RunningService): string =>
  `${mqtt.tls ? 'mqtts' : 'mqtt'}://${nearby(host)}:${mqtt.port}`

/** Where a service that listens on this address is reached on the same machine. */
function nearby(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}
