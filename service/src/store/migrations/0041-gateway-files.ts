import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The configuration of a gateway's own devices, for the box that replaces it. */
export const gatewayFiles = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('gateways').addColumn('file', 'text').execute()
  },
})
