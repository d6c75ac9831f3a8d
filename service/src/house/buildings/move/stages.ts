import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../../base/clock.ts'
import { StartupError } from '../../../base/startup-error.ts'
import type { Cell } from './cell.ts'
import { MEMBERS } from './parts.ts'
import { copyRows, deleteGone } from './rows.ts'

/** Where the building is found once it has left. */
export interface Address {
  /** Of the service, for API clients. */
  url: string
  /** Null where its gateways stay at their broker. */
  brokerUrl: string | null
}

const DRAIN_LOOK_MS = 5
/** For writes under way when the building is frozen; all of the service's are short. */
const DRAIN_LIMIT_MS = 2000

/** Transactions that have written in this database, whoever they are of; those of other databases are no concern. */
const WRITING = `select distinct virtualtransaction as id from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`

/** Takes the id at the target for a copy that nobody sees yet; or goes on with one that was begun. */
export async function claim(to: Cell, buildingId: string, nowMs: number): Promise<void> {
  const stage = await to.stageOf(buildingId)
  if (stage === 'arriving') return
  if (stage === 'left' || stage === 'leaving')
    throw new StartupError('a move of this building away from the target is not finished. Run that one again first.')
  await to.write(
    `insert into building_moves (building_id, stage, since) values ($1, 'arriving', $2)
      on conflict (building_id) do update set stage = 'arriving', since = $2`,
    [buildingId, nowMs],
  )
}

/** Takes the copy away again; false where the building has arrived in the meantime, or was never begun. */
export const unclaim = (to: Cell, buildingId: string): Promise<boolean> =>
  to.together(async () => {
    const isClaimed = await to.rows(
      "select from building_moves where building_id = $1 and stage = 'arriving' for update",
      [buildingId],
    )
    if (isClaimed.length === 0) return false
    await to.write('delete from buildings where id = $1', [buildingId])
    await to.write("update building_moves set stage = 'moved' where building_id = $1 and url is not null", [buildingId])
    await to.write("delete from building_moves where building_id = $1 and stage = 'arriving'", [buildingId])
    return true
  })

/** From then on the source writes nothing of the building; resolves when all writes under way have ended. */
export async function freeze(from: Cell, buildingId: string, address: Address, clock: Clock): Promise<void> {
  await from.write(
    `insert into building_moves (building_id, stage, url, broker_url, since) values ($1, 'leaving', $2, $3, $4)
      on conflict (building_id) do update set url = $2, broker_url = $3`,
    [buildingId, address.url, address.brokerUrl, clock.now()],
  )
  const writing = (await from.rows<{ id: string }>(WRITING)).map(({ id }) => id)
  for (const startedMs = clock.elapsedMs(); ; await pause(DRAIN_LOOK_MS)) {
    const left = await from.rows('select from pg_locks where virtualtransaction = any($1) limit 1', [writing])
    if (left.length === 0) return
    if (clock.elapsedMs() - startedMs > DRAIN_LIMIT_MS)
      throw new StartupError('writes at the source have taken too long. The building stays there; try again later.')
  }
}

export const unfreeze = (from: Cell, buildingId: string): Promise<number> =>
  from.write("delete from building_moves where building_id = $1 and stage = 'leaving'", [buildingId])

/**
 * The building is the target's from this transaction on: its members see it, its gateways are commanded. Its commands
 * count higher than those of the source.
 */
export const arrive = (from: Cell, to: Cell, buildingId: string, nowMs: number): Promise<void> =>
  to.together(async () => {
    const claimed = await to.write("delete from building_moves where building_id = $1 and stage = 'arriving'", [
      buildingId,
    ])
    if (claimed === 0) throw new StartupError('the copy at the target was taken away. Run the command again.')
    await deleteGone(from, to, { part: MEMBERS, bounds: null, isThere: true }, buildingId)
    await copyRows(from, to, { ...MEMBERS, values: [buildingId] })
    await to.write('update buildings set revised_at = greatest(revised_at + 1, $2) where id = $1', [buildingId, nowMs])
    await to.write(
      `update gateways set epoch_offset = greatest(0, epoch_offset + $2),
        command_due_at = case when command_due_at is null then null else 0 end where building_id = $1`,
      [buildingId, (await from.epoch()) - (await to.epoch())],
    )
    for (const table of ['moved_members', 'moved_grants', 'moved_gateways'])
      await to.write(`delete from ${table} where building_id = $1`, [buildingId])
  })

/**
 * The source answers from now on where the building is, and forgets all else of it when the requests that were let in
 * before have been answered.
 */
export async function leave(
  from: Cell,
  buildingId: string,
  { url, brokerUrl }: Address,
  graceMs: number,
): Promise<void> {
  await from.together(async () => {
    const left = await from.write(
      `update building_moves set stage = 'left', url = $2, broker_url = $3, announced_at = null
        where building_id = $1 and stage = 'leaving'`,
      [buildingId, url, brokerUrl],
    )
    if (left === 0) return
    await from.write(
      `insert into moved_members (account_id, building_id, ends_at)
        select account_id, building_id, ends_at from members where building_id = $1`,
      [buildingId],
    )
    await from.write(
      `insert into moved_grants (key_id, building_id)
        select key_id, building_id from oauth_buildings where building_id = $1`,
      [buildingId],
    )
    await from.write(
      `insert into moved_gateways (id, building_id, token_hash, mqtt_hash)
        select id, building_id, token_hash, mqtt_hash from gateways where building_id = $1 and token_hash <> ''`,
      [buildingId],
    )
    await from.write('delete from members where building_id = $1', [buildingId])
  })
  await pause(graceMs)
  await from.together(async () => {
    await from.write("delete from market_prices where area = 'building:' || $1", [buildingId])
    await from.write('delete from buildings where id = $1', [buildingId])
    await from.write("update building_moves set stage = 'moved' where building_id = $1 and stage = 'left'", [
      buildingId,
    ])
  })
}
