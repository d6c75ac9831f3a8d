import { CamelCasePlugin, type Compilable, type CompiledQuery, Kysely } from 'kysely'
import { LastWrite } from '../last-write.ts'
import { SlowCount } from '../load.ts'
import { migrate } from '../migrations/migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { Connection, type Statement } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { sqliteStatements } from './statements.ts'
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

  const slow = new SlowCount()
  const writes = new LastWrite()
  const submitOne = (statements: Statement[]) => writes.watch(async () => (await writer.submit([statements])[0]) ?? [])
  const execute = (query: CompiledQuery) =>
    slow.watch(async () => {
      if (query.query.kind === 'SelectQueryNode') return reader.run(query)
      const [result] = await submitOne([query])
      return result ?? { rows: [], affectedRows: 0 }
    })

  const db = new Kysely<Tables>({ dialect: sqliteDialect(execute), plugins: [new CamelCasePlugin()] })
  return {
    engine: 'sqlite',
    isShared: false,
    db,
    statements: sqliteStatements(db),
    get load() {
      return { slow: slow.count, writeProblem: writes.problem }
    },
    batch: (queries) => slow.watch(() => submitOne(compiled(queries))),
    batchEach: (batches) => slow.watch(() => Promise.allSettled(writer.submit(batches.map(compiled)))),
    async close() {
      await writer.close()
      reader.close()
    },
  }
}

const compiled = (queries: Compilable[]): Statement[] => queries.map((query) => query.compile())
