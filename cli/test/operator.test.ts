import { carriedOut } from '@hypocaust/testing/command.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

describe.each(ENGINES)('operators by the command line, on %s', (engine) => {
  let target: TestStore
  beforeAll(async () => {
    target = await openTestStore(engine)
    if (engine === 'postgres') vi.stubEnv('HYPOCAUST_DATABASE_URL', target.url)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await target.close()
  })
  const run = (args: string[], input = '') =>
    carriedOut(['operator', ...args, '--json', '--data', target.folder], input)

  test('are added, listed, reset and removed, and what they did is printed', async () => {
    const added = await run(['add', 'olga', '--password-stdin'], 'a password of an operator\n')
    expect(added.json).toEqual({
      name: 'olga',
      second_factor: expect.stringMatching(/^otpauth:\/\/totp\/Hypocaust%20operator:olga\?secret=[A-Z2-7]+&/),
    })
    const again = await run(['reset', 'olga', '--password-stdin'], 'another password of hers\n')
    expect(again.json.second_factor).not.toBe(added.json.second_factor)
    expect((await run(['list'])).json).toMatchObject([{ name: 'olga', signed_in: null }])
    expect((await run(['remove', 'olga'])).json).toEqual({ name: 'olga', removed: true })
    expect((await run(['list'])).json).toEqual([])
    const acts = (await run(['log'])).json.map(({ act, operator }: Record<string, unknown>) => [act, operator])
    expect(acts).toEqual([
      ['operator_removed', null],
      ['operator_reset', null],
      ['operator_added', null],
    ])
  })

  test.each([
    [['add', 'otto', '--password-stdin'], 'short\n', 'at least 12 characters'],
    [['add', 'o t', '--password-stdin'], 'a password of an operator\n', 'the name may have'],
    [['reset', 'nobody', '--password-stdin'], 'a password of an operator\n', 'there is no operator nobody'],
    [['remove', 'nobody'], '', 'there is no operator nobody'],
  ])('%j is refused with a sentence', async (args, input, why) => {
    const { code, stderr } = await run(args, input)
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(why)])
  })
})
