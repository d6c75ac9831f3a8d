import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../src/eventually.ts'

const MODULE = join(import.meta.dirname, '../src/test-run.ts')

/** A run with a server that ignores polite signals, and another that is known only by the folder it works in. */
const RUN = `
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { beginRun } from ${JSON.stringify(MODULE)}
const endRun = await beginRun()
const cwd = mkdtempSync(tmpdir() + '/server-')
const stubborn = spawn('sh', ['-c', 'trap "" INT TERM; echo; while :; do sleep 1000; done'])
const nameless = spawn('sleep', ['1000'], { cwd, env: { PATH: process.env.PATH } })
stubborn.stdout.once('data', () => console.log(JSON.stringify({ cwd, pids: [stubborn.pid, nameless.pid] })))
process.on('SIGUSR2', async () => {
  await endRun()
  process.exit()
})
`

test.concurrent.each(['SIGUSR2', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run that ends by %s leaves no process and no folder',
  async (signal) => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', RUN], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(run.stdout, 'data')
    const { cwd, pids } = JSON.parse(String(line)) as { cwd: string; pids: number[] }
    expect(pids.map(isRunning)).toEqual([true, true])
    run.kill(signal)
    await eventually(() => !pids.some(isRunning) && !existsSync(dirname(cwd)))
  },
)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
