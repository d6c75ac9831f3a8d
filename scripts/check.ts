// npm run check: everything that needs no test to run. Two lanes for two cores; on several threads the compiler would
// check the types that files share once for each.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const LANES = [
  [
    'tsc --singleThreaded',
    'node scripts/check-directions.ts',
    'node scripts/check-folders.ts',
    'node scripts/client-types.ts --check',
    'node scripts/python-client.ts --check',
  ],
  [
    'biome ci --error-on-warnings .',
    'tsc -p web --singleThreaded',
    'tsc -p web/worker --singleThreaded',
    'node scripts/generate-openapi.ts --check',
    'redocly lint docs/openapi.json docs/openapi-control.json docs/openapi-app.json',
  ],
]

const ENV = {
  ...process.env,
  // The compiler keeps nearly all that it allocates until it ends: collecting garbage takes a quarter of its time.
  GOGC: 'off',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Its output is printed at once, so that two of them do not mix. */
async function run(command: string): Promise<boolean> {
  const [program = '', ...args] = command.split(' ')
  const child = spawn(program, args, {
    env: ENV,
    cwd: resolve(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  console.log(`> ${command}`)
  if (stdout) process.stdout.write(stdout)
  if (stderr) process.stderr.write(stderr)
  return code === 0
}

const failed: string[] = []
await Promise.all(
  LANES.map(async (commands) => {
    for (const command of commands) if (!(await run(command))) failed.push(command)
  }),
)
if (failed.length > 0) {
  console.error(`failed: ${failed.join('; ')}`)
  process.exitCode = 1
}
