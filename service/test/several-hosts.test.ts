import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { PostgresPair } from '@hypocaust/testing/postgres-pair.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { PostgresNotifier } from '../src/processes/postgres-notifier.ts'
import { checkData } from '../src/store/check.ts'
import { openStore, withoutPassword } from '../src/store/open.ts'
import { connectingTo } from '../src/store/postgres/hosts.ts'

const SEVERAL = 'postgres://ada:secret@one:5432,two:5433/heating?target_session_attrs=read-write&sslmode=require'

test('an address with several hosts is shown without its password', () => {
  expect(withoutPassword(SEVERAL)).toBe('postgres://one:5432,two:5433/heating')
  expect(withoutPassword('postgres://one/heating')).toBe('postgres://one/heating')
})

test('options other than the kind of server go to every host', () => {
  expect(connectingTo(SEVERAL).connectionString).toBe('postgres://ada:secret@one:5432/heating?sslmode=require')
  expect(() => connectingTo('postgres://one,two/heating?target_session_attrs=standby')).toThrow(/needs read-write/)
})

describe.runIf(ENGINES.includes('postgres'))('a database on two hosts', () => {
  let pair: PostgresPair
  let url: string
  beforeAll(async () => {
    pair = await PostgresPair.start()
    // The standby comes first, so that the order does not decide.
    const hosts = [pair.standby, pair.primary].map(({ port }) => `127.0.0.1:${port}`)
    url = `postgres://postgres@${hosts.join(',')}/postgres?target_session_attrs=read-write`
  })
  afterAll(() => pair.stop())

  test('is migrated, written and listened to at its primary, and at the other when that has taken over', async () => {
    const store = await openStore('unused', url)
    const notifier = new PostgresNotifier(url, createLogger('silent'))
    await notifier.subscribe({ channels: { told: (payload) => void told.push(payload) } })
    const told: string[] = []
    await notifier.start()
    const write = (value: string) =>
      store.batch([store.db.updateTable('meta').set({ value }).where('name', '=', 'epoch')])
    const epoch = async () =>
      (await store.db.selectFrom('meta').select('value').where('name', '=', 'epoch').executeTakeFirst())?.value
    await write('7')
    expect(await checkData('unused', url)).toContainEqual(expect.objectContaining({ check: 'Database', ok: true }))

    await pair.primary.stop('immediate')
    await pair.standby.promote()
    await eventually(async () =>
      write('8').then(
        () => true,
        () => false,
      ),
    )
    expect(await epoch()).toBe('8')
    expect(await pair.standby.ask("select value from meta where name = 'epoch'")).toEqual([{ value: '8' }])
    await eventually(async () => {
      await notifier.notify('told', 'here')
      return told.length > 0
    })
    await notifier.stop()
    await store.close()
  })

  test('whose servers are all away is reported host by host', async () => {
    await pair.standby.stop('immediate')
    await expect(openStore('unused', url)).rejects.toThrow(
      /no server takes writes \(127.*ECONNREFUSED.*; 127.*ECONNREFUSED/,
    )
  })
})
