import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { expect, test } from 'vitest'
import { readAuthSecret } from '../src/people/accounts/secret.ts'

test('the secret is made once, and nobody else may read it', () => {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const secret = readAuthSecret(data)
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(readAuthSecret(data)).toBe(secret)
  const file = join(data, 'auth-secret')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8').trim()).toBe(secret)
  writeFileSync(file, 'short\n')
  expect(() => readAuthSecret(data)).toThrow(/auth-secret.*too short/)
  folder.remove()
})
