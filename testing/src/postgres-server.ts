import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openStore } from '../../service/src/store/open.ts'
import { freePort } from './ports.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL of the tests' own, or an empty text where there is none. */
    postgresUrl: string
  }
}

/** Debian keeps each version's server in a folder of its own. */
const VERSIONS = '/usr/lib/postgresql'

const SERVER_OPTIONS = [
  'listen_addresses=127.0.0.1',
  'max_connections=300',
  // The tests prove what is written, not that a disk keeps it: without fsync they are over sooner.
  'fsync=off',
  'full_page_writes=off',
  // Its locks and its statistics would come at any time, and with them other plans.
  'autovacuum=off',
]
  .map((option) => `-c ${option}`)
  .join(' ')

/** One PostgreSQL server for the whole run; every store in it is a database of its own. */
export default async function setup(project: TestProject): Promise<void> {
  const programs = postgresPrograms()
  if (!programs) {
    if (process.env.CI === 'true') throw new Error('PostgreSQL is missing. On Debian: apt-get install postgresql')
    console.warn('Skipping the tests on PostgreSQL: it is missing. On Debian: apt-get install postgresql')
    project.provide('postgresUrl', '')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-postgres-'))
  const port = await freePort()
  const run = runner(folder)
  const data = join(folder, 'data')
  run(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'])
  const options = `-p ${port} -k ${folder} ${SERVER_OPTIONS}`
  run(join(programs, 'pg_ctl'), ['-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start'])
  const url = `postgres://postgres@127.0.0.1:${port}`
  await prepareDatabase(url, folder)
  project.provide('postgresUrl', url)
}

/** Migrated once: every store begins as a copy of it. */
export const PREPARED_DATABASE = 'prepared'

async function prepareDatabase(server: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  await client.query(`create database ${PREPARED_DATABASE}`)
  await client.end()
  await (await openStore(folder, `${server}/${PREPARED_DATABASE}`)).close()
}

export function postgresPrograms(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  return readdirSync(VERSIONS)
    .map((version) => join(VERSIONS, version, 'bin'))
    .findLast((folder) => existsSync(join(folder, 'initdb')))
}

const NOBODY = 65_534

/** PostgreSQL refuses to run as root, so a root's tests run it as nobody. */
function runner(folder: string): (program: string, args: string[]) => void {
  const isRoot = process.getuid?.() === 0
  chmodSync(folder, 0o700)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  return (program, args) => {
    execFileSync(program, args, { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  }
}
