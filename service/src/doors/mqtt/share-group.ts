import { randomBytes } from 'node:crypto'
import { keptOnce } from '../../store/kept-once.ts'
import type { Store } from '../../store/store.ts'

/**
 * The group in which all processes of one database share the gateways' messages. Mosquitto checks no access rule when a
 * client subscribes to a share, so the name of the group is what keeps gateways out: it is random and kept in the database.
 */
export const shareGroupOf = (store: Store): Promise<string> =>
  keptOnce(store, 'share_group', () => `hypocaust-${randomBytes(18).toString('base64url')}`)
