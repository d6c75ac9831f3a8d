import type pg from 'pg'
import { isPlanOutdated, isServerGone } from './errors.ts'
import { prepared } from './pool.ts'

/** Queries on one connection, by prepared statements; knows whether the connection may be used again. */
export class PreparedQueries {
  readonly #client: pg.PoolClient
  #broken: Error | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  query(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#run(prepared(this.#client, sql, parameters))
  }

  /** With rows as lists of their values. */
  lists(sql: string, parameters: readonly unknown[]): Promise<pg.QueryArrayResult> {
    return this.#run({ ...prepared(this.#client, sql, parameters), rowMode: 'array' })
  }

  async #run<Result>(query: pg.QueryConfig & { rowMode?: 'array' }): Promise<Result> {
    const run = this.#client.query.bind(this.#client) as (query: pg.QueryConfig) => Promise<Result>
    try {
      return await run(query)
    } catch (error) {
      if (isServerGone(error)) this.#broken = error
      if (!isPlanOutdated(error)) throw error
      this.#broken = error
      const { name: _, ...unprepared } = query
      return run(unprepared)
    }
  }

  release(): void {
    this.#client.release(this.#broken)
  }
}
