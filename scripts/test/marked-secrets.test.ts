import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** What scanners look for: a private key with its content, and a whole API key. */
const SECRET = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}|\bhyp_[0-9A-Za-z]{38}\b/

test('files that hold keys of tests are marked for scanners, and nothing else is', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const folders = parse(read('.github/secret_scanning.yml'))['paths-ignore'].map((glob: string) =>
    glob.replace('**', ''),
  )
  const secret = files.filter((file) => SECRET.test(read(file)))
  const isMarked = (file: string) => folders.some((folder: string) => file.startsWith(folder))
  expect(secret.filter((file) => !isMarked(file))).toEqual([])
  expect(folders.filter((folder: string) => !secret.some((file) => file.startsWith(folder)))).toEqual([])
  const allowed = [...read('.gitleaks.toml').matchAll(/'''\^([^']+)'''/g)].map(([, path]) => path)
  expect(allowed).toEqual(folders)
})
