import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { type RowMaker, rowMaker } from '../column-names.ts'
import type { SlowCount } from '../load.ts'
import { isPlanOutdated, isServerGone, translated } from './errors.ts'
import { prepared } from './pool.ts'

/** Queries on one connection, by prepared statements; knows whether the connection may be used again. */
export class PreparedQueries {
  readonly #client: pg.PoolClient
  #broken: Error | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async query(sql: string, parameters: readonly unknown[], rowMode?: 'array'): Promise<pg.QueryResult> {
    const client = this.#client
    try {
      return await client.query({ ...prepared(client, sql, parameters), ...(rowMode && { rowMode }) })
    } catch (error) {
      if (isServerGone(error)) this.#broken = error
      if (!isPlanOutdated(error)) throw error
      this.#broken = error
      return client.query({ text: sql, values: [...parameters], ...(rowMode && { rowMode }) })
    }
  }

  release(): void {
    this.#client.release(this.#broken)
  }
}

export type Read = <Row>(query: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) => Promise<Row[]>

/** Without all that Kysely does around a query: columns are renamed once for each statement. */
export function readerOf(pool: pg.Pool, slow: SlowCount): Read {
  const makers = new Map<string, RowMaker<unknown>>()
  const makerOf = (sql: string, fields: pg.FieldDef[]): RowMaker<unknown> => {
    const known = makers.get(sql)
    if (known) return known
    const maker = rowMaker(fields.map(({ name }) => name))
    makers.set(sql, maker)
    return maker
  }
  return <Row>({ sql, parameters }: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) =>
    slow.watch(() =>
      translated(async () => {
        const queries = new PreparedQueries(await pool.connect())
        try {
          const { rows, fields } = await queries.query(sql, parameters, 'array')
          return rows.map(makerOf(sql, fields) as RowMaker<Row>)
        } finally {
          queries.release()
        }
      }),
    )
}
