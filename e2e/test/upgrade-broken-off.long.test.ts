import { createDatabase, ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../service/src/store/open.ts'
import { copyOf, RELEASES } from '../releases/copy.ts'

/** Columns, constraints with whether they are valid, indexes and triggers: all that migrations make. */
const SHAPE = `
  select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as part
    from information_schema.columns where table_schema = 'public'
  union all select format('constraint %s %s %s', conrelid::regclass, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  order by 1`

async function shapeOf(url: string): Promise<string[]> {
  const client = await connect(url)
  const { rows } = await client.query<{ part: string }>(SHAPE)
  await client.end()
  // Partitions are named by the time, the rest by the migrations. Kysely's own migrator left a table to 0.1.0.
  return rows.map(({ part }) => part).filter((part) => !/_before|_\d{10}|_default\b|kysely_migration_lock/.test(part))
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

describe.skipIf(!ENGINES.includes('postgres')).each(RELEASES)('an upgrade of release %s', (release) => {
  test.each(['sensors', 'tellings', 'notification_choices'])(
    'that is broken off at %s goes on there, and leaves the tables of a new database',
    async (table) => {
      const copy = await copyOf(release, 'postgres')
      const url = copy.databaseUrl as string
      const other = await connect(url)
      await other.query(`begin; lock table ${table} in access exclusive mode`)
      const opening = openStore(copy.data, url).then(
        () => 'opened',
        ({ message }) => message,
      )
      const ended = await eventually(async () => {
        const { rowCount } = await other.query(
          `select pg_terminate_backend(pid) from pg_locks where not granted and relation = '${table}'::regclass`,
        )
        return rowCount || undefined
      })
      expect(ended).toBe(1)
      expect(await opening).toContain('cannot open the database')
      await other.end()
      await (await openStore(copy.data, url)).close()
      const fresh = await createDatabase()
      await (await openStore(copy.data, fresh.url)).close()
      expect(await shapeOf(url)).toEqual(await shapeOf(fresh.url))
      await fresh.drop()
      await copy.remove()
    },
  )
})
