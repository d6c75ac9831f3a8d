// The demo's service, restarted when its code changes, behind the website's development server with hot reload.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createServer } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')
const MAIN = resolve(ROOT, 'cli/src/main.ts')
/** Beside the data of `npm start`, which a half-written migration must not touch. */
const DATA = resolve(ROOT, 'data/dev')

const website = await createServer({ configFile: resolve(ROOT, 'web/vite.config.ts') })
await website.listen()

const service = spawn(process.execPath, ['--watch', MAIN, 'demo', '--data', DATA, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
})
const ended = once(service, 'exit')

const stop = async () => {
  service.kill('SIGTERM')
  await ended
  await website.close()
  process.exit()
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
ended.then(stop)

console.log(`
The website in development is at ${website.resolvedUrls?.local[0]}; it shows each change of web/src at once.
The service behind it restarts when its code changes. It prints the account to sign in with below. Ctrl-C stops both.
`)
