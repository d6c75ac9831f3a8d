// Builds everything that a release consists of into release/. HYPOCAUST_REPOSITORY is the address it is published from.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packClient } from './client.ts'
import { packCommand } from './command.ts'
import { zipIntegration } from './home-assistant.ts'
import { ROOT, run } from './shell.ts'

const FOLDER = join(ROOT, 'release')

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER)
await run('npm', ['run', 'build', '-w', 'web'])
await packClient(FOLDER)
await packCommand(FOLDER)
zipIntegration(FOLDER, process.env.HYPOCAUST_REPOSITORY)

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
console.log(`release/ of version ${version}:`)
for (const name of readdirSync(FOLDER)) {
  console.log(`  ${name}  ${(statSync(join(FOLDER, name)).size / 1e6).toFixed(2)} MB`)
}
