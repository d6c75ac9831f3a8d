import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataOf, RELEASES } from '../releases/copy.ts'

/** The oldest release: its data has the longest way to go. */
const RELEASE = RELEASES.toSorted()[0] ?? ''
export const RELEASED_HOUSE = join(dataOf(RELEASE), '../house.json')

/** For a service on data that are older than what it keeps: none is forgotten. */
export const KEEP_ALL = { HYPOCAUST_HISTORY_RAW_DAYS: '36500', HYPOCAUST_HISTORY_DECISION_DAYS: '36500' }

/** Fills the data folder of an installation with what a service of that release has left. */
export function placeReleasedData(folder: string): void {
  const { uid, gid } = statSync(folder)
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  cpSync(dataOf(RELEASE), folder, { recursive: true })
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
}

/** How many rows each table has. */
export type Rows = Record<string, number>

export function rowsIn(folder: string): Rows {
  // A process that was killed leaves a journal, which the first to open the database writes into it: read from a copy.
  const copy = mkdtempSync(join(tmpdir(), 'hypocaust-rows-'))
  try {
    for (const name of ['hypocaust.db', 'hypocaust.db-wal'])
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(copy, name))
    const db = new DatabaseSync(join(copy, 'hypocaust.db'))
    const tables = db.prepare("select name from sqlite_master where type = 'table'").all()
    const count = (name: unknown) => Number(db.prepare(`select count(*) as rows from "${name}"`).get()?.rows)
    const rows = Object.fromEntries(tables.map(({ name }) => [String(name), count(name)]))
    db.close()
    return rows
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** The tables that have fewer rows than before. */
export const lostRows = (before: Rows, after: Rows): string[] =>
  Object.entries(before)
    .filter(([name, count]) => (after[name] ?? 0) < count)
    .map(([name, count]) => `${name}: ${after[name] ?? 'gone'} of ${count}`)
