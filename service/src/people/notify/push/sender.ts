import { HOUR_S } from '@hypocaust/domain'
import { post } from '../../../base/post.ts'
import type { Store } from '../../../store/store.ts'
import type { Message } from '../message.ts'
import type { PushNetwork } from './network.ts'
import { vapidKeysOf } from './vapid.ts'

interface PushTarget {
  id: string
  endpoint: string
  p256dh: string
  auth: string
}

export interface PushParts {
  store: Store
  network: PushNetwork
  /** Whom push services may write to when something is wrong: an address of the operator. */
  contact: string
}

/** The contact sent to push services where the operator's website has no public address. */
const NO_CONTACT = 'mailto:nobody@hypocaust.invalid'

export const contactOf = (publicUrl: string | undefined): string =>
  publicUrl?.startsWith('https://') ? publicUrl : NO_CONTACT

const KEPT_FOR_S = 24 * HOUR_S
const GONE = new Set([404, 410])

/** Sends messages to devices, encrypted for each alone; a device that is gone is forgotten. */
export class PushSender {
  readonly #parts: PushParts

  constructor(parts: PushParts) {
    this.#parts = parts
  }

  accepts(endpoint: string): boolean {
    return this.#parts.network.accepts(endpoint)
  }

  async publicKey(): Promise<string> {
    return (await vapidKeysOf(this.#parts.store)).publicKey
  }

  /** Resolves when the push service has taken it. The same `tag` again takes the place of the first on the device. */
  async send({ id, endpoint, p256dh, auth }: PushTarget, message: Message & { tag: string }): Promise<void> {
    const { store, network, contact } = this.#parts
    if (!network.accepts(endpoint)) throw new Error('the device names an address that is no push service')
    // Loaded when needed: most installations send none.
    const { default: webPush } = await import('web-push')
    const vapidDetails = { subject: contact, ...(await vapidKeysOf(store)) }
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(message),
      { vapidDetails, TTL: KEPT_FOR_S, urgency: 'high' },
    )
    const status = await post(endpoint, { headers, body, agent: network.agent })
    if (GONE.has(status)) await store.db.deleteFrom('pushDevices').where('id', '=', id).execute()
    if (status < 200 || status > 299) throw new Error(`the push service answered ${status}`)
  }
}
