import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { camelCase, rowOf } from '../column-names.ts'
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
  const namesOf = new Map<string, string[]>()
  const namesIn = (sql: string, fields: pg.FieldDef[]): string[] => {
    const known = namesOf.get(sql)
    if (known) return known
    const names = fields.map(({ name }) => camelCase(name))
    namesOf.set(sql, names)
    return names
  }
  return <Row>({ sql, parameters }: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) =>
    slow.watch(() =>
      translated(async () => {
        const queries = new PreparedQueries(await pool.connect())
        try {
          const { rows, fields } = await queries.query(sql, parameters, 'array')
          const names = namesIn(sql, fields)
          return rows.map((values) => rowOf<Row>(names, values))
        } finally {
          queries.release()
        }
      }),
    )
}
