import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { checkAuthSecret, readAuthSecret } from '../src/people/accounts/secret.ts'

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

describe.each(ENGINES)('the secret of a database on %s', (engine) => {
  const secretA = 'a'.repeat(32)
  const secretB = 'b'.repeat(32)
  let opened: TestStore
  beforeEach(async () => {
    opened = await openTestStore(engine)
  })
  afterEach(() => opened.close())

  test('is the same for all processes: another one is refused where processes share it', async () => {
    const logger = createLogger('silent')
    await checkAuthSecret(opened.store, secretA, logger)
    await checkAuthSecret(opened.store, secretA, logger)
    const other = checkAuthSecret(opened.store, secretB, logger)
    if (opened.store.isShared) {
      await expect(other).rejects.toThrow(/HYPOCAUST_AUTH_SECRET to the same value for all processes/)
      await checkAuthSecret(opened.store, secretA, logger)
    } else {
      await other
    }
  })

  test('is not stored', async () => {
    await checkAuthSecret(opened.store, secretA, createLogger('silent'))
    const rows = await opened.store.db.selectFrom('meta').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secretA)
  })
})

test('a secret changed on a database of one process is logged once', async () => {
  const opened = await openTestStore('sqlite')
  const lines: string[] = []
  const logger = createLogger('warn', { write: (line) => void lines.push(line) })
  for (const secret of ['a'.repeat(32), 'b'.repeat(32), 'b'.repeat(32)])
    await checkAuthSecret(opened.store, secret, logger)
  expect(lines).toEqual([expect.stringContaining('all sessions have ended')])
  await opened.close()
})
