// npm test: the checks beside the tests, which wait for processes and browsers now and then.
// npm run test:long (`long`): the trials, without the checks.
import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { beginRun } from '../testing/src/test-run.ts'

const [form, ...others] = process.argv.slice(2)
const isLong = form === 'long'
const filters = isLong || form === undefined ? others : [form, ...others]

endWithParent()
if ((await endOf(spawn(process.execPath, ['scripts/ensure-test-tools.ts'], { stdio: 'inherit' }))) !== 0)
  process.exit(1)
const endRun = await beginRun()
/** Either failing fails the whole; the other still says what it found. */
const failed = (await Promise.all(isLong ? [tests()] : [check(), tests()])).filter((name) => name !== undefined)
await endRun()
if (failed.length > 0) {
  console.error(`npm test: ${failed.join(' and ')} failed, see above`)
  process.exitCode = 1
}

/** Printed when it is over, so that it does not mix with the tests. */
async function check(): Promise<string | undefined> {
  const child = spawn('npm', ['run', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = endOf(child)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  return (await ended) === 0 ? undefined : 'npm run check'
}

async function tests(): Promise<string | undefined> {
  const config = isLong ? ['--config', 'vitest.long.config.ts'] : []
  const child = spawn('vitest', ['run', ...config, ...filters], { stdio: 'inherit' })
  return (await endOf(child)) === 0 ? undefined : 'vitest'
}

/** A shell that is ended between npm and this process does not pass the signal on. */
function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && process.exit(1), 500).unref()
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
}
