import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Engine } from '@hypocaust/testing/database.ts'
import pg from 'pg'
import type { ReleasedHouse } from './house.ts'

export const RELEASES = readdirSync(import.meta.dirname).filter((name) => /^\d/.test(name))

/** As it was released; only for a reader that leaves nothing beside it. */
export const dataOf = (release: string): string => join(import.meta.dirname, release, 'sqlite/data')

export interface ReleaseCopy {
  folder: string
  data: string
  databaseUrl: string | undefined
  house: ReleasedHouse
  remove(): Promise<void>
}

/** A release's data in a folder or database of its own: the fixture stays as it was released. */
export async function copyOf(release: string, engine: Engine): Promise<ReleaseCopy> {
  const from = join(import.meta.dirname, release, engine)
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-release-'))
  const data = join(folder, 'data')
  const database = engine === 'postgres' ? await createDatabase() : undefined
  if (database) await run(database.url, readFileSync(join(from, 'dump.sql'), 'utf8'))
  else cpSync(join(from, 'data'), data, { recursive: true })
  return {
    folder,
    data,
    databaseUrl: database?.url,
    house: JSON.parse(readFileSync(join(from, 'house.json'), 'utf8')),
    async remove() {
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
