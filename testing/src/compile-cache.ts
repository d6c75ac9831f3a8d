import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from './folder.ts'
import { isBundled, ownEnvironment, programOf } from './program-of.ts'

/** Compiled code is shared by the workers, their threads and all processes that they start. */
export default async function setup(): Promise<void> {
  const folder = temporaryFolder()
  // Workers start with this process's environment.
  process.env.NODE_COMPILE_CACHE = folder.path
  if (isBundled()) await compileService()
}

/** A process keeps what it has compiled when it ends by itself; most services in tests are killed. */
async function compileService(): Promise<void> {
  const folder = temporaryFolder()
  const flags = ['--data', 'data', '--port', '0', '--mqtt-port', '0', '--log-level', 'error']
  const service = spawn(process.execPath, [programOf('hypocaust'), 'serve', ...flags], {
    cwd: folder.path,
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  service.stdout.once('data', () => service.kill('SIGTERM'))
  await once(service, 'close')
  folder.remove()
}
