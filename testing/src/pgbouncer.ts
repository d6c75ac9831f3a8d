import { spawn } from 'node:child_process'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './ports.ts'
import { answers, endProcess, findServer } from './programs.ts'

const NOBODY = 65_534

/** For `describe.skipIf`: says so where it is missing, and does not let a build server skip anything. */
export function withoutPgBouncer(): boolean {
  if (findServer('pgbouncer')) return false
  if (process.env.CI === 'true') throw new Error('PgBouncer is not installed: apt-get install pgbouncer')
  console.warn('SKIPPED: PgBouncer is not installed (apt-get install pgbouncer), so no test ran on a pooler')
  return true
}

/** A pooler before the server of this address; the database keeps its name. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = temporaryFolder()
  const port = await freePort()
  const url = new URL(databaseUrl)
  const config = join(folder.path, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${url.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
  )
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  chmodSync(folder.path, 0o755)
  chmodSync(config, 0o644)
  if (isRoot) chownSync(folder.path, NOBODY, NOBODY)
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(findServer('pgbouncer') ?? 'pgbouncer', ['-q', config], { ...identity, stdio: 'ignore' })
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    return answers(port)
  })
  url.port = String(port)
  return {
    url: url.href,
    async stop() {
      await endProcess(child, 'SIGKILL')
      folder.remove()
    },
  }
}
