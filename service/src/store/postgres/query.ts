import type pg from 'pg'
import { isPlanOutdated, isServerGone } from './errors.ts'
import { giveBack, prepared } from './pool.ts'

/** Queries on one connection, by prepared statements; knows whether the connection may be used again. */
export class PreparedQueries {
  readonly #client: pg.PoolClient
  #broken: Error | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const client = this.#client
    try {
      return await client.query(prepared(client, sql, parameters))
    } catch (error) {
      if (isServerGone(error)) this.#broken = error
      if (!isPlanOutdated(error)) throw error
      this.#broken = error
      return client.query({ text: sql, values: [...parameters] })
    }
  }

  release(): void {
    giveBack(this.#client, this.#broken)
  }
}
