import type { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../base/startup-error.ts'

/** Rows of each table, our own and the engine's helpers' left out. */
export function countsIn(db: DatabaseSync): Record<string, number> {
  const tables = db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'backup_files')
  const count = (name: string) => Number(db.prepare(`select count(*) as rows from "${name}"`).get()?.rows)
  return Object.fromEntries(tables.map((name) => [name, count(name)]))
}

/** Reads the whole file through. */
export function refuseDamaged(db: DatabaseSync, file: string): void {
  const finding = findingOf(db)
  if (finding !== 'ok') throw new StartupError(`${file} is damaged or incomplete (${finding}). Use another backup.`)
}

function findingOf(db: DatabaseSync): string {
  try {
    const [first] = db.prepare('pragma integrity_check(1)').all()
    return String(first?.integrity_check).split('\n', 1)[0] ?? ''
  } catch (error) {
    return (error as Error).message
  }
}
