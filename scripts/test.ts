// npm test: the checks beside the tests, which wait for processes and browsers now and then.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

// Ctrl-C reaches them as well: wait until they have cleared up.
process.on('SIGINT', () => {})

/** Either failing fails the whole; the other still says what it found. */
const failed = (await Promise.all([check(), tests()])).filter((name) => name !== undefined)
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
  const child = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
  return (await endOf(child)) === 0 ? undefined : 'vitest'
}

function endOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
}
