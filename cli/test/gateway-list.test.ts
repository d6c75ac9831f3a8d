import { systemClock } from '@hypocaust/service'
import { carriedOut } from '@hypocaust/testing/command.ts'
import { openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const MANY = 250

describe('gateway list', () => {
  let opened: TestStore
  beforeAll(async () => {
    opened = await openTestStore('sqlite')
    const { buildingId } = await settleHolder(opened.store, systemClock, 'ada@example.org', HOUSE)
    await opened.store.db.deleteFrom('gateways').execute()
    const nowMs = systemClock.now()
    const row = (i: number) => {
      const state = i % 5
      const lastSeenAt = state === 0 ? null : state === 1 ? Date.parse('2026-01-01') : nowMs
      const id = `gateway-${String(i).padStart(4, '0')}`
      return { id, buildingId, key: id, name: id, tokenHash: '', createdAt: 0, lastSeenAt, version: `1.${i % 2}.0` }
    }
    for (let i = 0; i < MANY; i++) await opened.store.db.insertInto('gateways').values(row(i)).execute()
  })
  afterAll(() => opened.close())

  const list = async (...flags: string[]) => {
    const outcome = await carriedOut(['gateway', 'list', '--data', opened.folder, ...flags])
    expect([outcome.code, outcome.stderr]).toEqual([0, ''])
    return outcome
  }
  const ids = async (...flags: string[]): Promise<string[]> =>
    (await list('--json', ...flags)).json.map(({ id }: { id: string }) => id)

  test('prints a page, and what to type for the next one', async () => {
    const { stdout } = await list()
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(102)
    expect(lines.at(-1)).toBe('For more: --after gateway-0099')
    const next = await list('--after', 'gateway-0199')
    expect(next.stdout.trim().split('\n')).toHaveLength(51)
    expect(next.stdout).not.toContain('For more')
  })

  test('with --json prints all, or as many as are asked for', async () => {
    expect(await ids()).toHaveLength(MANY)
    expect(await ids('--limit', '3', '--after', 'gateway-0009')).toEqual([
      'gateway-0010',
      'gateway-0011',
      'gateway-0012',
    ])
  })

  test('filters by state, version and when a gateway was last seen', async () => {
    expect(await ids('--state', 'unseen')).toHaveLength(MANY / 5)
    expect(await ids('--state', 'silent')).toHaveLength(MANY / 5)
    expect(await ids('--state', 'available')).toHaveLength((MANY * 3) / 5)
    expect(await ids('--state', 'silent', '--agent-version', '1.1.0')).toHaveLength(MANY / 10)
    expect(await ids('--seen-before', '2026-02-01')).toHaveLength(MANY / 5)
    expect(await ids('--seen-before', '2025-12-01')).toEqual([])
  })

  test.each([
    ['--limit', '0'],
    ['--seen-before', 'yesterday'],
    ['--state', 'asleep'],
  ])('refuses %s %s', async (flag, value) => {
    const { code, stderr } = await carriedOut(['gateway', 'list', '--data', opened.folder, flag, value])
    expect(code).not.toBe(0)
    expect(stderr).toContain(value)
  })
})
