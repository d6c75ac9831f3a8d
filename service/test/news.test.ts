import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createKey, revokeKey } from '../src/people/keys/keys.ts'
import type { Happening } from '../src/processes/news.ts'
import { PostgresNews } from '../src/processes/postgres-news.ts'
import { PostgresNotifier } from '../src/processes/postgres-notifier.ts'

describe.skipIf(!ENGINES.includes('postgres'))('what processes of one PostgreSQL tell each other', () => {
  let world: World
  let one: PostgresNotifier
  let other: PostgresNotifier
  let news: { one: PostgresNews; other: PostgresNews }
  let received: Happening[]
  beforeAll(async () => {
    world = await openWorld('postgres')
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const join = () => new PostgresNotifier(world.test.url, createLogger('silent'))
    one = join()
    other = join()
    news = { one: new PostgresNews(one), other: new PostgresNews(other) }
    await Promise.all([one, other, news.one, news.other].map((each) => each.start()))
    received = []
    news.one.subscribe((what) => received.push(what))
  })
  afterEach(async () => {
    await Promise.all([one.stop(), other.stop()])
  })

  const building = () => ({ buildingId: world.holder.buildingId, accountId: world.holder.accountId })

  /** As when PostgreSQL is restarted. */
  const cutLines = async () => {
    const client = await world.test.connect()
    await client.execute(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'hypocaust line' and datname = current_database()`,
    )
    await client.end()
  }

  test('a change of settings, with the building and its account, once it is committed', async () => {
    await world.patch({ target_temperature: 22 })
    expect(await eventually(() => received[0])).toEqual({ kind: 'building', ...building() })
  })

  test('a PATCH that changes nothing is no news, and neither is a key’s use', async () => {
    await world.patch({})
    await world.get('/v1/key')
    await world.patch({ name: 'Spa' })
    await eventually(() => received.length > 0)
    expect(received).toEqual([{ kind: 'building', ...building() }])
  })

  test('a key that is made, and one that is revoked', async () => {
    const { accountId } = world.holder
    const { id } = await createKey(world.store, world.clock, {
      accountId,
      name: 'guest',
      permission: 'read',
      expiresAt: null,
    })
    await revokeKey(world.store, world.clock, { id })
    const ofKeys = () => received.filter(({ kind }) => kind === 'key')
    await eventually(() => ofKeys().length >= 2)
    expect(ofKeys()).toEqual([
      { kind: 'key', accountId },
      { kind: 'key', accountId },
    ])
  })

  test('buildings that were heard, each once, however many', async () => {
    const ids = Array.from({ length: 400 }, (_, i) => `${i.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`)
    for (const id of [...ids, ...ids]) news.other.heard(id)
    const heard = () => received.flatMap((what) => (what.kind === 'heard' ? what.buildingIds : []))
    await eventually(() => heard().length >= ids.length)
    expect(heard()).toEqual(ids)
  })

  test('a line that was cut is laid anew, says that something may have been missed, and hears again', async () => {
    await cutLines()
    await eventually(() => received.some(({ kind }) => kind === 'anything'))
    received.length = 0
    await world.patch({ target_temperature: 23 })
    expect(await eventually(() => received.find(({ kind }) => kind === 'building'))).toEqual({
      kind: 'building',
      ...building(),
    })
  })

  test('work that one is at is not done by another, and is free when the one has ended', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const begun: string[] = []
    const first = one.alone('roll-up', async () => {
      begun.push('one')
      await ended
    })
    await eventually(() => begun.length === 1)
    await other.alone('roll-up', async () => void begun.push('other'))
    await other.alone('weather', async () => void begun.push('another work'))
    expect(begun).toEqual(['one', 'another work'])
    end()
    await first
    await other.alone('roll-up', async () => void begun.push('other'))
    expect(begun).toEqual(['one', 'another work', 'other'])
  })

  test('a lock that is lost with its connection is reported, and another may take it', async () => {
    const begun: string[] = []
    const first = one.alone('roll-up', async (lost) => {
      begun.push('one')
      await new Promise((resolve) => lost.addEventListener('abort', resolve))
      begun.push('one lost it')
    })
    await eventually(() => begun.length === 1)
    await cutLines()
    await first
    // The other's line was cut too, and fails until it is laid anew.
    await eventually(async () => {
      await other.alone('roll-up', async () => void begun.push('other')).catch(() => {})
      return begun.includes('other')
    })
    expect(begun).toEqual(['one', 'one lost it', 'other'])
  })
})
