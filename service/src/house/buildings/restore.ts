import type { Kysely } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { chunksOf } from '../../store/chunks.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { recordAddedBuilding } from '../change-log/record-things.ts'
import { positionsAtEnd } from '../change-log/webhook-positions.ts'
import { insertOwner } from '../membership.ts'
import { removeBuilding } from './manage.ts'

export interface RestoredBuilding {
  id: string
  name: string
  /** Rows of each table. */
  tables: Record<string, number>
  members: string[]
  /** Members of that time who have no account any more. */
  without_account: string[]
}

interface Wanted {
  /** Its id or its name. */
  building: string
  /** Who becomes its owner where none of its owners has an account any more. */
  ownerId?: string | undefined
  onProgress(table: string, done: number, of: number): void
}

type Owner = 'building' | 'sensor' | 'room' | 'gateway'

interface Part {
  table: keyof Tables
  of: Owner
  /** Unique for one owner: a long table is read in parts, in this order. */
  order?: string
}

/** Everything of a building but its members, each table after those it refers to. */
export const PARTS: Part[] = [
  { table: 'sensors', of: 'building' },
  { table: 'readings', of: 'sensor', order: 'measuredAt' },
  { table: 'readingsFiveMinute', of: 'sensor', order: 'startsAt' },
  { table: 'readingsHourly', of: 'sensor', order: 'startsAt' },
  { table: 'rooms', of: 'building' },
  { table: 'contacts', of: 'building' },
  { table: 'weather', of: 'building' },
  { table: 'alerts', of: 'building' },
  { table: 'controlStates', of: 'room' },
  { table: 'decisions', of: 'room', order: 'decidedAt' },
  { table: 'roomSlots', of: 'room', order: 'endsAt' },
  { table: 'roomHeat', of: 'room', order: 'day' },
  { table: 'roomSavings', of: 'room' },
  { table: 'roomExaminations', of: 'room' },
  { table: 'promises', of: 'room', order: 'dueAt' },
  { table: 'comfortVotes', of: 'room', order: 'hourAt' },
  { table: 'formerSensors', of: 'room', order: 'untilAt' },
  { table: 'gateways', of: 'building' },
  { table: 'valves', of: 'gateway' },
  { table: 'loopTests', of: 'gateway' },
  { table: 'loopDetails', of: 'gateway' },
  { table: 'valveWindows', of: 'gateway' },
  { table: 'meterReadings', of: 'gateway' },
  { table: 'gatewayMessages', of: 'gateway' },
  { table: 'changeLog', of: 'building', order: 'sequence' },
  { table: 'screedRecords', of: 'building' },
  { table: 'limitRecords', of: 'building' },
  { table: 'calendars', of: 'building' },
]

/** Offers and messages to persons that are out of date, access that apps ask for anew, and what the Matter bridge reports. */
export const LEFT_OUT: (keyof Tables)[] = [
  'invitations',
  'pairingCodes',
  'tellings',
  'monthlyMails',
  'matterBridges',
  'oauthBuildings',
  'programmeLinks',
  'webhookPositions',
  'webhookDeliveries',
]

const ROWS_A_PART = 500

type Row = Record<string, unknown>
/** Every table by its name, as rows of whatever columns it has. */
const anyTable = ({ db }: Store) => db as unknown as Kysely<Record<string, Row>>

/**
 * Copies one building from a backup into a database that goes on working. The members come last: until then nobody sees
 * the building, and a restore that was interrupted is begun again.
 */
export async function restoreBuilding(
  from: Store,
  to: Store,
  clock: Clock,
  { building, ownerId, onProgress }: Wanted,
): Promise<RestoredBuilding> {
  const source = await wantedIn(from, building)
  const { id, name } = source
  await refuseExisting(to, id)
  const { members, missing } = await membersIn(from, to, id)
  const owner = members.find(({ row }) => row.role === 'owner' && row.endsAt === null)?.row.accountId ?? ownerId
  if (owner === undefined)
    throw new StartupError(`no owner of ${name} has an account here. Name one who becomes its owner: --account EMAIL`)
  const accountOf = new Map(members.map(({ formerId, row }) => [formerId, row.accountId]))
  const nowMs = clock.now()
  const changed: Partial<Record<keyof Tables, (row: Row) => Row>> = {
    gateways: (row) => ({ ...row, ...afresh(nowMs) }),
    changeLog: (row) => ({ ...row, actorAccountId: accountOf.get(row.actorAccountId as string) ?? null }),
  }
  const tables: Record<string, number> = {}
  try {
    const key = await freeKey(to, owner, source)
    const settled = { ...source, key, accountId: owner, revisedAt: nowMs, loopRun: null, loopRunDueAt: null }
    await to.db.insertInto('buildings').values(settled).execute()
    for (const [i, part] of PARTS.entries()) {
      onProgress(part.table, i, PARTS.length)
      tables[part.table] = await copy(from, to, id, part, changed[part.table] ?? ((row) => row))
    }
    const isMember = members.some(({ row }) => row.accountId === owner)
    await to.batch([
      recordAddedBuilding(to, nowMs, { buildingId: id, name }),
      ...members.map(({ row }) => to.db.insertInto('members').values(row)),
      ...(isMember ? [] : [insertOwner(to, id, owner, nowMs)]),
      positionsAtEnd(to, { buildingId: id }),
    ])
  } catch (error) {
    await removeBuilding(to, id)
    throw error
  }
  return { id, name, tables, members: members.map(({ email }) => email), without_account: missing }
}

async function wantedIn({ db }: Store, wanted: string) {
  const found = await db.selectFrom('buildings').selectAll().where('id', '=', wanted).execute()
  const named =
    found.length > 0 ? found : await db.selectFrom('buildings').selectAll().where('name', '=', wanted).execute()
  const [only, ...others] = named
  if (!only)
    throw new StartupError(`there is no building ${wanted} in the backup. Name it by its id or its whole name.`)
  if (others.length > 0)
    throw new StartupError(
      `several buildings in the backup are called ${wanted}: ${named.map(({ id }) => id).join(', ')}`,
    )
  return only
}

/** One without members is what an interrupted restore has left. */
async function refuseExisting(store: Store, id: string): Promise<void> {
  const there = await store.db.selectFrom('buildings').select('name').where('id', '=', id).executeTakeFirst()
  if (!there) return
  const member = await store.db
    .selectFrom('members')
    .select('accountId')
    .where('buildingId', '=', id)
    .executeTakeFirst()
  if (member)
    throw new StartupError(
      `the building ${there.name} (${id}) is there. It is restored only after it was deleted: what it has measured and learned since the backup would be lost.`,
    )
  await removeBuilding(store, id)
}

/** Persons are known by their address: an account that was made anew has another id. */
async function membersIn(from: Store, to: Store, buildingId: string) {
  const rows = await from.db
    .selectFrom('members')
    .innerJoin('user', 'user.id', 'members.accountId')
    .selectAll('members')
    .select('user.email')
    .where('buildingId', '=', buildingId)
    .execute()
  const emails = rows.map(({ email }) => email)
  const isNamed = to.statements.isIn('email', to.statements.list(emails))
  const here = await to.db.selectFrom('user').select(['id', 'email']).where(isNamed).execute()
  const idOf = new Map(here.map(({ id, email }) => [email, id]))
  const members = rows.flatMap(({ email, ...row }) => {
    const accountId = idOf.get(email)
    return accountId === undefined ? [] : [{ email, formerId: row.accountId, row: { ...row, accountId } }]
  })
  return { members, missing: emails.filter((email) => !idOf.has(email)) }
}

/**
 * The gateway may have heard later commands than the backup knows of: the next numbers are above all of them. What it
 * reported then says nothing of now.
 */
const afresh = (nowMs: number) => ({
  commandSeq: Math.floor(nowMs / 1000),
  command: null,
  commandDueAt: null,
  ackedEpoch: null,
  ackedSeq: null,
  ackResult: null,
  state: null,
  boot: null,
  agentBoot: null,
  agentSeenAt: null,
})

async function freeKey({ db }: Store, accountId: string, { id, key }: { id: string; key: string }): Promise<string> {
  const taken = await db
    .selectFrom('buildings')
    .select('id')
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  return taken ? `${key}-${id.slice(-6)}` : key
}

async function copy(from: Store, to: Store, buildingId: string, part: Part, changed: (row: Row) => Row) {
  let copied = 0
  for (const ownerId of await ownersOf(from, buildingId, part.of)) {
    for await (const rows of rowsOf(from, part, ownerId)) {
      await anyTable(to).insertInto(part.table).values(rows.map(changed)).execute()
      copied += rows.length
    }
  }
  return copied
}

async function ownersOf(store: Store, buildingId: string, of: Owner): Promise<string[]> {
  if (of === 'building') return [buildingId]
  const owners = anyTable(store).selectFrom(`${of}s`).select('id').where('buildingId', '=', buildingId).orderBy('id')
  return (await owners.execute()).map(({ id }) => String(id))
}

async function* rowsOf(store: Store, { table, of, order }: Part, ownerId: string): AsyncGenerator<Row[]> {
  const all = anyTable(store).selectFrom(table).selectAll().where(`${of}Id`, '=', ownerId)
  if (order === undefined) return yield* chunksOf(await all.execute(), ROWS_A_PART)
  const ordered = all.orderBy(order).limit(ROWS_A_PART)
  let rows = await ordered.execute()
  while (rows.length > 0) {
    yield rows
    rows = rows.length < ROWS_A_PART ? [] : await ordered.where(order, '>', rows.at(-1)?.[order]).execute()
  }
}
