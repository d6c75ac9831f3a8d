import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/**
 * What heat costs: how firmly rooms are held, tariff and heat source of a building, prices of a market. `saving` stays:
 * processes of the version before go on reading it during an upgrade.
 */
export const energy = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .alterTable('buildings')
      .addColumn('comfort', 'text', (c) => c.notNull().defaultTo('balanced'))
      .execute()
    await sql`update buildings set comfort = 'saving' where saving = 1`.execute(db)
    await db.schema.alterTable('buildings').addColumn('tariff', 'text').execute()
    await db.schema.alterTable('buildings').addColumn('heat_source', 'text').execute()
    await db.schema
      .createTable('market_prices')
      .addColumn('area', 'text', (c) => c.primaryKey())
      .addColumn('due_at', time, (c) => c.notNull())
      .addColumn('prices', 'text')
      .execute()
  },
})
