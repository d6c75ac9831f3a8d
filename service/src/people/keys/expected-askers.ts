import { sql } from 'kysely'
import type { RoomsRevision } from '../../house/revisions.ts'
import { takingOne } from '../../store/postgres/rate-windows.ts'
import type { RunningWindow } from '../../store/rate-windows.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { type Asked, type AskerRow, askersNaming, readWindowOf, windowIn } from './askers.ts'
import { ASKING_KEY_COLUMNS } from './columns.ts'

/** What an earlier look-up found, and of which revision the rooms should be. */
export interface Expectation {
  digest: string
  revision: RoomsRevision
  /** Where it is met, one is taken from the reads of the key. No two questions of one key may do so. */
  spends: boolean
}

export interface Question extends Omit<Asked, 'nowMs'> {
  expected?: Expectation | undefined
}

export type Reply =
  /** Without a window where none runs; where one was to be taken, because it is used up. */
  | { kind: 'as expected'; window: RunningWindow | undefined }
  | { kind: 'found'; row: AskerRow; digest: string }
  | { kind: 'no key' }

/** The reads of a key. */
export interface ReadBudget {
  limit: number
  windowMs: number
}

const NO_KEY: Reply = { kind: 'no key' }
/** No digest is like this. */
const NOTHING = { digest: '-', revision: { revisedAt: 0, liveRevision: 0 }, spends: false }

/** Questions of one moment, in one statement, where processes share the database; answers come in their order. */
export async function askExpecting(
  store: Store,
  questions: Question[],
  nowMs: number,
  budget: ReadBudget,
): Promise<Reply[]> {
  const expected = questions.map((question) => question.expected ?? NOTHING)
  const rows = await expectedAskers.lookUp(store, {
    hashes: plainList(questions.map(({ hash }) => hash)),
    buildingIds: plainList(questions.map(({ buildingId }) => buildingId)),
    digests: plainList(expected.map(({ digest }) => digest)),
    revisedAts: plainList(expected.map(({ revision }) => revision.revisedAt)),
    liveRevisions: plainList(expected.map(({ revision }) => revision.liveRevision)),
    spends: plainList(expected.map(({ spends }) => spends)),
    nowMs,
    endsAtMs: nowMs + budget.windowMs,
    limit: budget.limit,
  })
  const replies = questions.map(() => NO_KEY)
  for (const row of rows) replies[row.place - 1] = replyOf(row)
  return replies
}

/** Of values in which nothing is to be escaped: hexadecimal, ids, numbers. */
const plainList = (values: (string | number | boolean)[]): string => `{${values.join()}}`

function replyOf(row: ReplyRow): Reply {
  const { digest } = row
  return digest === null ? { kind: 'as expected', window: windowIn(row) } : { kind: 'found', row, digest }
}

interface Values {
  hashes: string
  buildingIds: string
  digests: string
  revisedAts: string
  liveRevisions: string
  spends: string
  nowMs: number
  endsAtMs: number
  limit: number
}

interface ReplyRow extends AskerRow {
  place: number
  /** Null, like all of the asker, where all is as expected. */
  digest: string | null
}

const SEEN = sql.join([...ASKING_KEY_COLUMNS, 'buildingId', 'role', 'rooms'].map((name) => sql.ref(`found.${name}`)))
const DIGEST = sql<string>`encode(sha256(convert_to(row(${SEEN})::text, 'UTF8')), 'hex')`

/**
 * Looks up keys, buildings and windows, compares with what is expected, and takes from windows, at one moment. What is
 * as expected is not sent again.
 */
const expectedAskers = statement((db, values: Values) => {
  const { hashes, buildingIds, digests, revisedAts, liveRevisions, spends, nowMs, endsAtMs, limit } = values
  const found = askersNaming(db, nowMs, (eb) =>
    eb('members.buildingId', '=', sql.ref<string>('asked.building_id')),
  ).where('apiKeys.hash', '=', sql.ref<string>('asked.hash'))
  const query = sql<ReplyRow>`with found as (
      select asked.place, asked.spends, found.*, ${readWindowOf('found')} as window_name,
        (asked.revised_at = found.revised_at and asked.live_revision = found.live_revision
          and asked.digest = ${DIGEST}) is true as is_expected
      from unnest(${hashes}::text[], ${buildingIds}::text[], ${digests}::text[], ${revisedAts}::bigint[],
          ${liveRevisions}::bigint[], ${spends}::boolean[])
        with ordinality as asked (hash, building_id, digest, revised_at, live_revision, spends, place)
      cross join lateral (${found}) as found
    ), spent as (
      ${takingOne(sql`select window_name as name from found where is_expected and spends`, { nowMs, endsAtMs, limit })}
    )
    select found.place, coalesce(spent.used, running.used) as used, coalesce(spent.ends_at, running.ends_at) as ends_at,
      case when not found.is_expected then ${DIGEST} end as digest, news.*
    from found
    left join spent on spent.name = found.window_name
    left join rate_windows as running on running.name = found.window_name and running.ends_at > ${nowMs}
      and not (found.is_expected and found.spends)
    left join lateral (select ${SEEN}, found.revised_at, found.live_revision) as news on not found.is_expected`
  return { compile: () => query.compile(db) }
})
