import { keptOnce } from '../../../store/kept-once.ts'
import type { Store } from '../../../store/store.ts'

interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** By these keys push services know the service: made once, and the same for all processes of one database. */
export async function vapidKeysOf(store: Store): Promise<VapidKeys> {
  const kept = await keptOnce(store, 'vapid', async () => {
    const { default: webPush } = await import('web-push')
    return JSON.stringify(webPush.generateVAPIDKeys())
  })
  return JSON.parse(kept) as VapidKeys
}
