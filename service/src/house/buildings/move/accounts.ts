import { StartupError } from '../../../base/startup-error.ts'
import type { Cell } from './cell.ts'
import { copyRows } from './rows.ts'

const MEMBERS_ACCOUNTS =
  'select account_id from members where building_id = $1 union select account_id from buildings where id = $1'

/** What an account consists of, each after what it refers to; sessions are begun anew. */
const OF_ACCOUNT = [
  ['user', 'id'],
  ['account', '"userId"'],
  ['twoFactor', '"userId"'],
  ['passkey', '"userId"'],
  ['notification_choices', 'account_id'],
] as const

/** A key that was revoked on either side stays revoked. */
const KEEP_REVOKED = 'do update set revoked_at = coalesce(api_keys.revoked_at, excluded.revoked_at)'

/**
 * The accounts of all members and their keys, under the same ids. One that the target has already keeps its password and
 * settings there; its keys are added. Returns the addresses of those that were added.
 */
export async function copyAccounts(from: Cell, to: Cell, buildingId: string): Promise<string[]> {
  const people = await from.rows<{ id: string; email: string }>(
    `select id, email from "user" where id in (${MEMBERS_ACCOUNTS}) order by id`,
    [buildingId],
  )
  const there = await to.rows<{ id: string; email: string }>(
    'select id, email from "user" where id = any($1) or email = any($2)',
    [people.map(({ id }) => id), people.map(({ email }) => email)],
  )
  const known = new Set(there.map(({ id }) => id))
  const added = people.filter(({ id }) => !known.has(id))
  const taken = added.find(({ email }) => there.some((other) => other.email === email))
  if (taken)
    throw new StartupError(
      `another account has the address ${taken.email} at the target. Remove it there, or change one of the two addresses.`,
    )
  for (const [table, column] of added.length > 0 ? OF_ACCOUNT : [])
    await copyRows(from, to, { table, where: `${column} = any($1)`, values: [added.map(({ id }) => id)] })
  const where = `client_id is null and account_id in (${MEMBERS_ACCOUNTS})`
  await copyRows(from, to, { table: 'api_keys', where, values: [buildingId], onConflict: KEEP_REVOKED })
  return added.map(({ email }) => email)
}

/** What belongs to accounts and apps and stays behind. */
export async function leftBehind(from: Cell, buildingId: string): Promise<{ apps: number; webhooks: number }> {
  const [row] = await from.rows<{ apps: number; webhooks: number }>(
    `select (select count(distinct key_id) from oauth_buildings where building_id = $1) as apps,
      (select count(distinct webhook_id) from webhook_positions where building_id = $1) as webhooks`,
    [buildingId],
  )
  return { apps: row?.apps ?? 0, webhooks: row?.webhooks ?? 0 }
}
