import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the secret of an invitation went by mail alone, and the new account that an owner must confirm. */
export const claimedInvitations = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('invitations')
      .addColumn('is_mailed', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('invitations')
      .addColumn('claimed_by', 'text', (c) => c.references('user.id').onDelete('set null'))
      .execute()
    await db.schema.createIndex('invitations_claimed').on('invitations').column('claimed_by').execute()
  },
})
