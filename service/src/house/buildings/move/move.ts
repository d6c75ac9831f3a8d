import type { Clock } from '../../../base/clock.ts'
import { StartupError } from '../../../base/startup-error.ts'
import { copyAccounts, leftBehind } from './accounts.ts'
import { Cell } from './cell.ts'
import { raiseFence } from './fence.ts'
import { MOVED_PARTS, type Part } from './parts.ts'
import { copyRows, copySpan, deleteGone, differences } from './rows.ts'
import { type Address, arrive, claim, freeze, leave, unclaim, unfreeze } from './stages.ts'

export interface MoveWanted {
  /** Its id or its name. */
  building: string
  /** Addresses of the two databases. */
  from: string
  to: string
  /** How long requests may take that the source has let in; 5 s unless given. */
  graceMs?: number
}

export interface MovedBuilding {
  id: string
  /** How long nothing of the building could be written; null where an interrupted move was finished. */
  pause_ms: number | null
  /** Addresses of accounts that the target did not have. */
  accounts_added: string[]
  /** To be connected anew there. */
  apps: number
  webhooks: number
}

const REQUESTS_END_WITHIN_MS = 5000
/** Writes of a building wait for less than 5 s: with this, and what the target takes to take over. */
const LONGEST_LAST_PASS_MS = 4000
/** The last pass has to copy what was written during the one before it. */
const PASSES_BEFORE_FREEZE = 3
const PASS_IS_SHORT_MS = 1000
const LOCK = "select pg_try_advisory_lock(hashtextextended('hypocaust building move ' || $1, 0)) as won"

/**
 * Moves a building from one database to another while services run on both. It is copied while it is used; then nothing
 * of it is written for a moment, in which the rest is copied and the target takes it over, in one transaction. Broken
 * off at any moment it is finished by the same call, or undone with `undoMove` as long as the target has not taken over.
 */
export async function moveBuilding(
  wanted: MoveWanted,
  address: Address,
  clock: Clock,
  onStep: (step: string) => void = () => {},
): Promise<MovedBuilding> {
  return withCells(wanted, async (from, to, id) => {
    const behind = await leftBehind(from, id)
    const stage = await from.stageOf(id)
    if (stage === 'left' || (stage === 'leaving' && (await hasArrived(to, id)))) {
      await leave(from, id, address, wanted.graceMs ?? REQUESTS_END_WITHIN_MS)
      return { id, pause_ms: null, accounts_added: [], ...behind }
    }
    if (stage === 'arriving') throw new StartupError('the building has not arrived at the source yet: finish that move')
    if (await hasArrived(to, id)) throw new StartupError('the target has a building with this id already')
    if (address.brokerUrl !== null) await refuseStayingGateways(from, id)
    await claim(to, id, clock.now())
    const accountsAdded = await copyAccounts(from, to, id)
    if (stage === null) await copyWhileUsed(from, to, id, clock, onStep)
    onStep('take over')
    const pauseMs = await takeOver(from, to, id, address, clock)
    onStep('clean up')
    await leave(from, id, address, wanted.graceMs ?? REQUESTS_END_WITHIN_MS)
    return { id, pause_ms: stage === null ? pauseMs : null, accounts_added: accountsAdded, ...behind }
  })
}

/** The building stays where it is, and nothing of it stays at the target. */
export async function undoMove(wanted: MoveWanted): Promise<{ id: string }> {
  return withCells(wanted, async (from, to, id) => {
    const stage = await from.stageOf(id)
    const isCopyGone = await unclaim(to, id)
    if (stage === 'left' || (stage !== 'arriving' && !isCopyGone && (await to.has(id))))
      throw new StartupError('the building has arrived at the target. Finish the move, and then move it back.')
    await unfreeze(from, id)
    return { id }
  })
}

/** Both databases, with the right to move this building, and its id. */
async function withCells<T>(wanted: MoveWanted, work: (from: Cell, to: Cell, id: string) => Promise<T>): Promise<T> {
  const from = await Cell.open(wanted.from, 'the source')
  try {
    const to = await Cell.open(wanted.to, 'the target')
    try {
      await refuseUnlike(from, to)
      const id = await idOf(from, wanted.building)
      for (const cell of [from, to]) {
        const [lock] = await cell.rows<{ won: boolean }>(LOCK, [id])
        if (!lock?.won) throw new StartupError('another move of this building is under way')
        await raiseFence(cell)
      }
      return await work(from, to, id)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

const hasArrived = async (to: Cell, id: string): Promise<boolean> =>
  (await to.has(id)) && (await to.stageOf(id)) === null

async function refuseUnlike(from: Cell, to: Cell): Promise<void> {
  const sameIn = async (sql: string) => {
    const [here, there] = await Promise.all([from.rows(sql), to.rows(sql)])
    return JSON.stringify(here) === JSON.stringify(there)
  }
  if (
    await sameIn(
      'select oid, current_database(), pg_postmaster_start_time() from pg_database where datname = current_database()',
    )
  )
    throw new StartupError('source and target are the same database')
  if (!(await sameIn('select name from kysely_migration order by name')))
    throw new StartupError('source and target are not of the same version of Hypocaust')
  if (!(await sameIn("select value from meta where name = 'auth_secret_fingerprint'")))
    throw new StartupError(
      'the services on source and target have different auth secrets: second factors would not work any more. Give both the same HYPOCAUST_AUTH_SECRET.',
    )
}

/** One that does not follow would stay with its fallback at a broker where nobody commands it. */
async function refuseStayingGateways(from: Cell, id: string): Promise<void> {
  const rows = await from.rows<{ name: string }>(
    `select name from gateways where building_id = $1 and last_seen_at is not null
      and follows_moves is distinct from 1 order by name`,
    [id],
  )
  if (rows.length > 0)
    throw new StartupError(
      `gateways that do not connect to another broker by themselves: ${rows.map(({ name }) => name).join(', ')}. Update their agents first.`,
    )
}

/** Also of a building that has left in part. */
async function idOf(from: Cell, wanted: string): Promise<string> {
  const found = await from.rows<{ id: string }>(
    `select id from buildings where id = $1 or name = $1
      union select building_id from building_moves where building_id = $1 and stage = 'left' limit 3`,
    [wanted],
  )
  const ids = found.map(({ id }) => id)
  const [only] = ids.includes(wanted) ? [wanted] : ids
  if (only === undefined)
    throw new StartupError(`there is no building ${wanted} at the source. Name it by its id or its whole name.`)
  if (ids.length > 1 && only !== wanted)
    throw new StartupError(`several buildings are called ${wanted}. Name it by its id: ${ids.join(', ')}`)
  return only
}

/** Until a pass is short: then little is left for the moment in which nothing is written. */
async function copyWhileUsed(
  from: Cell,
  to: Cell,
  id: string,
  clock: Clock,
  onStep: (step: string) => void,
): Promise<void> {
  for (let pass = 1; pass <= PASSES_BEFORE_FREEZE; pass++) {
    onStep(`copy, pass ${pass}`)
    const startedMs = clock.elapsedMs()
    await copyPass(from, to, id)
    if (clock.elapsedMs() - startedMs <= PASS_IS_SHORT_MS) return
  }
}

/** Carries everything over in which the two differ, as it is at the source at one moment. Returns what differed. */
const copyPass = (from: Cell, to: Cell, id: string): Promise<Part[]> =>
  from.together(async () => {
    await copyBuilding(from, to, id)
    // Each side works through its own list, and neither waits for the other in between.
    const spans = (await Promise.all(MOVED_PARTS.map((part) => differences(from, to, part, id)))).flat()
    for (const span of spans.toReversed()) await deleteGone(from, to, span, id)
    for (const span of spans) await copySpan(from, to, span, id)
    return [...new Set(spans.map(({ part }) => part))]
  }, 'begin isolation level repeatable read read only')

/** By its key no other building of the account is known at the target. */
async function copyBuilding(from: Cell, to: Cell, id: string): Promise<void> {
  const [building] = await from.rows<{ key: string; account_id: string; loop_run_due_at: number | null }>(
    'select key, account_id, loop_run_due_at from buildings where id = $1',
    [id],
  )
  if (!building) throw new StartupError('the building has been deleted in the meantime')
  if (building.loop_run_due_at !== null)
    throw new StartupError('its loops are being tested, or a screed is heated up. Move it when that has ended.')
  const taken = await to.rows('select from buildings where account_id = $1 and key = $2 and id <> $3', [
    building.account_id,
    building.key,
    id,
  ])
  const changed = { key: taken.length > 0 ? `${building.key}-${id.slice(-6)}` : building.key }
  await copyRows(from, to, { table: 'buildings', where: 'id = $1', values: [id], changed })
}

/** Returns how long nothing could be written. Where it fails before the target has taken over, the source goes on. */
async function takeOver(from: Cell, to: Cell, id: string, address: Address, clock: Clock): Promise<number> {
  const wasFrozen = (await from.stageOf(id)) === 'leaving'
  const startedMs = clock.elapsedMs()
  try {
    await freeze(from, id, address, clock)
    await copyAccounts(from, to, id)
    const copied = await copyPass(from, to, id)
    for (const part of copied)
      if ((await differences(from, to, part, id)).length > 0)
        throw new StartupError(`${part.table} is not the same on both sides after it was copied`)
    if (!wasFrozen && clock.elapsedMs() - startedMs > LONGEST_LAST_PASS_MS)
      throw new StartupError(
        'the last part would take longer than 5 s. The building stays where it is; try again later.',
      )
  } catch (error) {
    await unfreeze(from, id).catch(() => {})
    throw error
  }
  await arriveOrGoOn(from, to, id, clock)
  return Math.round(clock.elapsedMs() - startedMs)
}

/** Where it is not known whether the target has taken over, the source stays as it is: the next call finds out. */
async function arriveOrGoOn(from: Cell, to: Cell, id: string, clock: Clock): Promise<void> {
  try {
    await arrive(from, to, id, clock.now())
  } catch (error) {
    const mayHaveArrived = await hasArrived(to, id).catch(() => true)
    if (!mayHaveArrived) await unfreeze(from, id)
    throw error
  }
}
