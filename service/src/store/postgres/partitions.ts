import { HOUR_MS } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import pg from 'pg'
import { gridOf, PARTITIONED, type Partition, type PartitionedTable, type Partitions } from '../partitions.ts'
import { isStoreError } from '../store.ts'
import { transact } from './transactions.ts'
import type { WriteGate } from './write-gate.ts'

/** Held while partitions are changed; no other code uses this number. */
const ONE_AT_A_TIME = 'select pg_advisory_xact_lock(7062025)'
const UNLESS_ANOTHER_DOES = 'select pg_try_advisory_xact_lock(7062025) as won'
/** A provider's six hours are hundreds of millions of rows; the next ones come after six hours. */
const LONGEST_FOLD_MS = 6 * HOUR_MS
/** Reads and writes of the table queue behind a change of its partitions, so the change gives up soon. */
const PATIENCE = "set local lock_timeout = '2s'"

/** PostgreSQL's own range partitions, each attached and taken away without stopping those who read and write. */
export class NativePartitions implements Partitions {
  readonly #transact: <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

  constructor(pool: pg.Pool, gate: WriteGate) {
    this.#transact = (work) => gate.run(() => transact(pool, work))
  }

  async cover(table: PartitionedTable, fromMs: number, toMs: number): Promise<void> {
    const there = await this.#all(table)
    const isFree = (bounds: Bounds) =>
      there.every((other) => bounds.toMs <= other.fromMs || other.toMs <= bounds.fromMs)
    for (const bounds of gridOf(table, fromMs, toMs).filter(isFree)) await this.#make(table, bounds)
  }

  async endedBy(table: PartitionedTable, untilMs: number): Promise<Partition[]> {
    return (await this.#all(table)).filter(({ fromMs, toMs }) => Number.isFinite(fromMs) && toMs <= untilMs)
  }

  async fold({ name }: Partition, fold: Compilable): Promise<void> {
    await this.#transact(async (client) => {
      // Another process is at it, and may be for long.
      if (!(await client.query(UNLESS_ANOTHER_DOES)).rows[0].won) return
      if (!(await exists(client, name))) return
      await client.query(`set local statement_timeout = ${LONGEST_FOLD_MS}`)
      // Readers go on; a late reading waits, and is then in an empty partition, to be folded at another time.
      await client.query(`lock table only ${quoted(name)} in exclusive mode`)
      const { sql, parameters } = fold.compile()
      const patient = { text: sql, values: [...parameters], query_timeout: LONGEST_FOLD_MS }
      await client.query(patient)
      await client.query(`truncate ${quoted(name)}`)
    })
  }

  async drop(table: PartitionedTable, { name }: Partition, which: 'if empty' | 'with its rows'): Promise<void> {
    await patiently(() =>
      this.#transact(async (client) => {
        await client.query(PATIENCE)
        await client.query(ONE_AT_A_TIME)
        if (!(await exists(client, name))) return
        await client.query(`lock table only ${quoted(table)} in access exclusive mode`)
        if (which === 'if empty' && (await hasRows(client, quoted(name)))) return
        await client.query(`drop table ${quoted(name)}`)
      }),
    )
  }

  /** All but the one for leftovers without bounds. */
  async #all(table: PartitionedTable): Promise<Partition[]> {
    return this.#transact(async (client) => {
      const { rows } = await client.query<{ name: string; bounds: string }>(
        `select part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bounds
          from pg_inherits join pg_class part on part.oid = pg_inherits.inhrelid
          where pg_inherits.inhparent = $1::regclass`,
        [table],
      )
      return rows.flatMap(({ name, bounds }) => boundsIn(bounds).map((found) => ({ name, ...found }))).sort(oldestFirst)
    })
  }

  /** Made by the side and then attached: unlike `partition of`, that locks nobody out of the table. */
  async #make(table: PartitionedTable, { fromMs, toMs }: Bounds): Promise<void> {
    const name = nameOf(table, fromMs)
    const { column } = PARTITIONED[table]
    await patiently(() =>
      this.#transact(async (client) => {
        await client.query(PATIENCE)
        await client.query(ONE_AT_A_TIME)
        if (await exists(client, name)) return
        // Rows of this span that are among the leftovers already stay there until they are rolled up.
        const ofThisSpan = `${quoted(`${table}_default`)} where ${quoted(column)} >= ${fromMs} and ${quoted(column)} < ${toMs}`
        if (await hasRows(client, ofThisSpan)) return
        await client.query(`create table ${quoted(name)} (like ${quoted(table)} including all)`)
        await client.query(
          `alter table ${quoted(table)} attach partition ${quoted(name)} for values from (${fromMs}) to (${toMs})`,
        )
      }),
    )
  }
}

type Bounds = Omit<Partition, 'name'>

function boundsIn(expression: string): Bounds[] {
  const [, from, to] = /FROM \(\D*?(MINVALUE|-?\d+)\D*\) TO \('(-?\d+)'\)/.exec(expression) ?? []
  if (from === undefined) return []
  return [{ fromMs: from === 'MINVALUE' ? Number.NEGATIVE_INFINITY : Number(from), toMs: Number(to) }]
}

const oldestFirst = (a: Partition, b: Partition): number => a.toMs - b.toMs

/** A change that another session's lock prevented is retried in the next round. */
async function patiently(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isStoreError(error, 'unavailable')) throw error
  }
}

const exists = async (client: pg.PoolClient, name: string): Promise<boolean> =>
  (await client.query('select to_regclass($1) is not null as found', [quoted(name)])).rows[0].found

const hasRows = async (client: pg.PoolClient, where: string): Promise<boolean> =>
  (await client.query(`select exists (select from ${where}) as found`)).rows[0].found

const quoted = (name: string): string => pg.escapeIdentifier(name)

const nameOf = (table: PartitionedTable, fromMs: number): string =>
  `${table}_${new Date(fromMs).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`
