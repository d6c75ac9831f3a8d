import type { Store } from '../base/store.ts'

/** Orders, configuration and what was done on them. */
const OF_ONE_IDENTITY = [
  'config',
  'command',
  'source',
  'sg_ready',
  'heat_requests',
  'channels',
  'claimed_boots',
  'wet_contacts',
  'cooling_reported',
  'source_lock',
  'hot_water',
  'covers',
]

/** Paired anew: another gateway's orders and configuration mean nothing here. */
export function forgetFormerIdentity(store: Store, gatewayId: string): void {
  if (store.get<string>('gateway_id') === gatewayId) return
  for (const key of OF_ONE_IDENTITY) store.put(key, null)
  store.put('gateway_id', gatewayId)
}
