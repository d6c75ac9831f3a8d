import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Tables of better-auth's plugins for passkeys and second factors, in its own spelling. */
export const web = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { authDate, authFlag, real } = columnTypes(engine)
    await db.schema.alterTable('user').addColumn('twoFactorEnabled', authFlag).execute()
    await db.schema
      .createTable('twoFactor')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('backupCodes', 'text', (c) => c.notNull())
      .addColumn('verified', authFlag)
      .addColumn('failedVerificationCount', 'integer')
      .addColumn('lockedUntil', authDate)
      .execute()
    await db.schema.createIndex('two_factor_user').on('twoFactor').column('userId').execute()
    await db.schema
      .createTable('passkey')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('name', 'text')
      .addColumn('publicKey', 'text', (c) => c.notNull())
      .addColumn('credentialID', 'text', (c) => c.notNull().unique())
      .addColumn('counter', real, (c) => c.notNull())
      .addColumn('deviceType', 'text', (c) => c.notNull())
      .addColumn('backedUp', authFlag, (c) => c.notNull())
      .addColumn('transports', 'text')
      .addColumn('createdAt', authDate)
      .addColumn('aaguid', 'text')
      .execute()
    await db.schema.createIndex('passkey_user').on('passkey').column('userId').execute()
  },
})
