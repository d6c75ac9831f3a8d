import type { Store } from './store.ts'

/** A text made once and then the same for all processes of one database. */
export async function keptOnce({ db }: Store, name: string, make: () => Promise<string> | string): Promise<string> {
  const read = () => db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst()
  const kept = await read()
  if (kept) return kept.value
  await db
    .insertInto('meta')
    .values({ name, value: await make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const made = await read()
  if (!made) throw new Error(`${name} was not stored`)
  return made.value
}
