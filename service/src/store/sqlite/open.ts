import { closeSync, existsSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { CamelCasePlugin, type CompiledQuery, Kysely } from 'kysely'
import { inSpan } from '../../base/tracing/span.ts'
import type { Batch } from '../batch.ts'
import { LastWrite } from '../last-write.ts'
import { SlowCount } from '../load.ts'
import { migrate, migrationStateOf } from '../migrations/migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { backUpBeforeUpdate } from './backup.ts'
import { Connection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import type { StatementBatch } from './messages.ts'
import { sqliteStatements } from './statements.ts'
import { Writer } from './writer.ts'

/** Opens the file, brings its tables up to date, and starts the writer. */
export async function openSqlite(file: string): Promise<Store> {
  createPrivate(file)
  const reader = Connection.open(file)
  try {
    const tables = new Kysely<unknown>({ dialect: sqliteDialect((query) => reader.run(query)) })
    if ((await migrationStateOf(tables)) === 'older') await backUpBeforeUpdate(dirname(file))
    await migrate(tables, 'sqlite')
  } catch (error) {
    reader.close()
    throw error
  }
  const writer = new Writer(file)

  const slow = new SlowCount()
  const writes = new LastWrite()
  const submitOne = (batch: StatementBatch) => writes.watch(async () => (await writer.submit([batch])[0]) ?? [])
  const execute = (query: CompiledQuery) =>
    slow.watch(async () => {
      if (query.query.kind === 'SelectQueryNode') return reader.run(query)
      const [result] = await inSpan('commit', () => submitOne({ statements: [query], limits: [] }))
      return result ?? { rows: [], affectedRows: 0 }
    })

  const db = new Kysely<Tables>({ dialect: sqliteDialect(execute), plugins: [new CamelCasePlugin()] })
  return {
    engine: 'sqlite',
    isShared: false,
    db,
    statements: sqliteStatements(db),
    read<Row>(query: CompiledQuery<Row>) {
      const startedMs = performance.now()
      const rows = reader.read<Row>(query)
      slow.note(startedMs)
      return rows
    },
    get load() {
      return { slow: slow.count, writeProblem: writes.problem ?? wantOfSpace(file) }
    },
    batch: (queries, limits) => inSpan('commit', () => slow.watch(() => submitOne(compiled({ queries, limits })))),
    batchEach: (batches) =>
      slow.watch(() => writes.watchEach(() => Promise.allSettled(writer.submit(batches.map(compiled))))),
    watch: (beats) => writer.watch(beats),
    async close() {
      await writer.close()
      reader.close()
    },
  }
}

/** Less than a batch of messages takes. A small write may find room all the same, in a part of the log that is free again. */
const LEAST_SPACE_BYTES = 1024 * 1024

function wantOfSpace(file: string): string | undefined {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize < LEAST_SPACE_BYTES ? 'the disk is full' : undefined
}

/** A new database is for its owner alone; SQLite gives its other files the same mode. */
function createPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

const compiled = ({ queries, limits = [] }: Batch): StatementBatch => ({
  statements: queries.map((query) => query.compile()),
  limits: limits.map(({ count, most, name }) => ({ count: count.compile(), most, name })),
})
