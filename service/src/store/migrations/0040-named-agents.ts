import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which agent works the outputs of a gateway, and the machine of another that stands by. */
export const namedAgents = (): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const column of ['agent_boot', 'other_agent'])
      await db.schema.alterTable('gateways').addColumn(column, 'text').execute()
    await db.schema.alterTable('gateways').addColumn('other_agent_at', 'bigint').execute()
  },
})
