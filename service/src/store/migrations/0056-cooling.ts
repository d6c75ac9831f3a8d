import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Season and changeover of a building as people set them, and as the control found them (JSON); what its rooms are cooled
 * to, and whether their power is coolness. */
export const cooling = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { real, bit } = columnTypes(engine)
    await db.schema.alterTable('buildings').addColumn('cooling', 'text').execute()
    await db.schema.alterTable('buildings').addColumn('cooling_state', 'text').execute()
    await db.schema.alterTable('rooms').addColumn('cooling_target_c', real).execute()
    await db.schema
      .alterTable('rooms')
      .addColumn('cools', bit, (c) => c.notNull().defaultTo(0))
      .execute()
  },
})
