import type { Store } from '../../../store/store.ts'

export interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** By these keys push services know the service: made once, and the same for all processes of one database. */
export async function vapidKeysOf({ db }: Store): Promise<VapidKeys> {
  const read = async () => {
    const row = await db.selectFrom('meta').select('value').where('name', '=', 'vapid').executeTakeFirst()
    return row && (JSON.parse(row.value) as VapidKeys)
  }
  const kept = await read()
  if (kept) return kept
  const { default: webPush } = await import('web-push')
  await db
    .insertInto('meta')
    .values({ name: 'vapid', value: JSON.stringify(webPush.generateVAPIDKeys()) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const made = await read()
  if (!made) throw new Error('the keys for push messages were not kept')
  return made
}
