import { createDatabase, ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { startPgBouncer, withoutPgBouncer } from '@hypocaust/testing/pgbouncer.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { PostgresNotifier } from '../src/processes/postgres-notifier.ts'
import { openStore } from '../src/store/open.ts'

describe.skipIf(!ENGINES.includes('postgres') || withoutPgBouncer())('through PgBouncer', () => {
  test('in session mode the service works: limits, prepared statements, locks and notifications', async () => {
    const database = await createDatabase()
    const pooler = await startPgBouncer(database.url, 'session')
    const store = await openStore('unused', pooler.url)
    const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'plan_cache_mode') order by name`.execute(store.db)
    expect(rows.map(({ setting }) => setting)).toEqual(['5000', 'force_generic_plan', '15000'])
    for (let i = 0; i < 5; i++)
      await store.batch([
        store.db
          .updateTable('meta')
          .set({ value: String(i) })
          .where('name', '=', 'epoch'),
      ])
    // Longer than a connection may be silent: the server is asked for it by its real number.
    await sql`select pg_sleep(4)`.execute(store.db)
    const told: string[] = []
    const notifier = new PostgresNotifier(pooler.url, createLogger('silent'))
    await notifier.subscribe({ channels: { told: (payload) => void told.push(payload) } })
    await notifier.start()
    await notifier.alone('work', () => notifier.notify('told', 'here'))
    await eventually(() => told.includes('here'))
    await notifier.stop()
    await store.close()
    // Connections that were given back serve the next process.
    const again = await openStore('unused', pooler.url)
    expect(await again.db.selectFrom('meta').select('value').where('name', '=', 'epoch').execute()).toEqual([
      { value: '4' },
    ])
    await again.close()
    await pooler.stop()
    await database.drop()
  })

  test('in transaction mode the service refuses to start, and names the setting', async () => {
    const database = await createDatabase()
    const pooler = await startPgBouncer(database.url, 'transaction')
    await expect(openStore('unused', pooler.url)).rejects.toThrow(/pool_mode = session/)
    await pooler.stop()
    await database.drop()
  })
})
