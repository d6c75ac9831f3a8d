import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the agent that works the outputs of a gateway was last heard. */
export const namedAgentsSeen = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('gateways').addColumn('agent_seen_at', 'bigint').execute()
  },
})
