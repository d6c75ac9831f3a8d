// Fails when docs/architecture.md does not show a folder: a stranger finds every one of them there.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { foldersMissingIn, foldersOf } from './folders.ts'

const ROOT = resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n')
const document = readFileSync(resolve(ROOT, 'docs/architecture.md'), 'utf8')
const missing = foldersMissingIn(document, foldersOf(files))
if (missing.length > 0) {
  console.error(`docs/architecture.md does not show: ${missing.join(', ')}`)
  process.exit(1)
}
