import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Links by which people become members of a building. */
export const invitations = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('invitations')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('rooms', 'text')
      .addColumn('ends_at', time)
      .addColumn('email', 'text')
      .addColumn('giver', 'text')
      .addColumn('giver_ends_at', time)
      .addColumn('invited_by', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('created_at', time, (c) => c.notNull())
      .addColumn('expires_at', time, (c) => c.notNull())
      .addColumn('accepted_by', 'text', (c) => c.references('user.id').onDelete('cascade'))
      .execute()
    await db.schema.createIndex('invitations_building').on('invitations').column('building_id').execute()
    await db.schema.createIndex('invitations_inviter').on('invitations').column('invited_by').execute()
    await db.schema.createIndex('invitations_accepted').on('invitations').column('accepted_by').execute()
  },
})
