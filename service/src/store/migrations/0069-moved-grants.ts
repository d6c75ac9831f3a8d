import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which apps were granted a building that has left: they are told where it is. */
export const movedGrants = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('moved_grants')
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('building_id', 'text', (c) => c.notNull())
      .addForeignKeyConstraint('moved_grants_key_id', ['key_id'], 'api_keys', ['id'], (c) => c.onDelete('cascade'))
      .addPrimaryKeyConstraint('moved_grants_key', ['key_id', 'building_id'])
      .execute()
    await db.schema.createIndex('moved_grants_building').on('moved_grants').column('building_id').execute()
  },
})
