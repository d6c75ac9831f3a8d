import { Agent } from 'node:https'
import { isPublicName, publicLookup } from '../../../base/public-address.ts'

/** Where push messages may be sent. The service posts to what a browser names, so this is what keeps it from the LAN. */
export interface PushNetwork {
  /** Judged when a device is added: the form of the address alone. */
  accepts(endpoint: string): boolean
  /** Judged at every connection: what the name leads to now. */
  agent: Agent
}

/** A push service has a name, and is reached by HTTPS at its usual port. */
export function isPushAddress(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  return protocol === 'https:' && isPublicName(hostname) && port === '' && username === '' && password === ''
}

export const publicNetwork = (): PushNetwork => ({
  accepts: isPushAddress,
  agent: new Agent({ lookup: publicLookup, keepAlive: false }),
})
