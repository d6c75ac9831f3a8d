import { CamelCasePlugin, type CompiledQuery, Kysely } from 'kysely'
import { migrate } from '../migrations/migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { Connection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { Writer } from './writer.ts'

/** Opens the file, brings its tables up to date, and starts the writer. */
export async function openSqlite(file: string): Promise<Store> {
  const reader = Connection.open(file)
  try {
    await migrate(new Kysely({ dialect: sqliteDialect((query) => reader.run(query)) }), 'sqlite')
  } catch (error) {
    reader.close()
    throw error
  }
  const writer = new Writer(file)

  const execute = async (query: CompiledQuery) => {
    if (query.query.kind === 'SelectQueryNode') return reader.run(query)
    const [result] = await writer.submit([query])
    return result ?? { rows: [], affectedRows: 0 }
  }

  return {
    engine: 'sqlite',
    db: new Kysely<Tables>({ dialect: sqliteDialect(execute), plugins: [new CamelCasePlugin()] }),
    batch: (queries) => writer.submit(queries.map((query) => query.compile())),
    async close() {
      await writer.close()
      reader.close()
    },
  }
}
