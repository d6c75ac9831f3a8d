import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { VERSION } from '../src/base/version.ts'
import { fleetOf } from '../src/house/fleet.ts'
import { startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'
import { SlowCount } from '../src/store/load.ts'
import { MIGRATION_NAMES } from '../src/store/migrations/names.ts'

describe.each(ENGINES)('the fleet in figures on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  const set = (index: number, columns: { lastSeenAt?: number; buffered?: number; commandSeq?: number }) =>
    world.store.db
      .updateTable('gateways')
      .set(columns)
      .where('id', '=', world.holder.gatewayIds[index] ?? '')
      .execute()
  const fleet = () => fleetOf(world.store, world.clock.now(), 300)

  test('a gateway that has never reported is not counted', async () => {
    expect(await fleet()).toMatchObject({ available: 0, silent: 0, notFollowing: 0, buffered: 0 })
  })

  test('gateways are available, silent for up to a week, and then out of use', async () => {
    const now = world.clock.now()
    await set(0, { lastSeenAt: now, buffered: 7 })
    await set(1, { lastSeenAt: now - 301_000, buffered: 1000 })
    expect(await fleet()).toMatchObject({ available: 1, silent: 1, buffered: 7 })
    await set(1, { lastSeenAt: now - 8 * 86_400_000 })
    expect(await fleet()).toMatchObject({ available: 1, silent: 0 })
  })

  test('one that leaves three commands unanswered does not follow', async () => {
    await set(0, { commandSeq: 2 })
    expect(await fleet()).toMatchObject({ notFollowing: 0 })
    await set(0, { commandSeq: 3 })
    expect(await fleet()).toMatchObject({ notFollowing: 1 })
  })

  test('rooms that nobody has tried to learn from for a day are overdue', async () => {
    const { db } = world.store
    const now = world.clock.now()
    await db.updateTable('rooms').set({ fittedAt: now }).execute()
    expect(await fleet()).toMatchObject({ fitsOverdue: 0 })
    await db
      .updateTable('rooms')
      .set({ fittedAt: now - 27 * 3_600_000 })
      .where('id', '=', world.bathroomId)
      .execute()
    expect(await fleet()).toMatchObject({ fitsOverdue: 1 })
  })
})

test('what takes long is counted, also when it fails', async () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const lasting = async (ms: number) => {
    nowMs += ms
  }
  const slow = new SlowCount(20)
  await slow.watch(() => lasting(20))
  await slow.watch(() => lasting(21))
  await slow.watch(() => lasting(21).then(() => Promise.reject(new Error('no')))).catch(() => undefined)
  clock.mockRestore()
  expect(slow.count).toBe(2)
})

test('answers of gateways to commands are counted by their result', async () => {
  const world = await openMqttWorld()
  const cellar = await world.gateway()
  cellar.say('ack', { epoch: 1, seq: 1, result: 'accepted' })
  cellar.say('ack', { epoch: 1, seq: 2, result: 'stale' })
  const counted = (result: string) => world.metric('hypocaust_acknowledgements_total', { result })
  await eventually(async () => (await counted('accepted')) === 1 && (await counted('stale')) === 1)
  await world.close()
})

describe.each(ENGINES)('figures of a running service on %s', (engine) => {
  test('name its version, its broker and what its database carries', async () => {
    const folder = temporaryFolder()
    const world = engine === 'postgres' ? await openWorld('postgres') : undefined
    const env = world ? { HYPOCAUST_DATABASE_URL: world.test.url } : {}
    const flags = { data: folder.path, port: 0, mqtt_port: 0, log_level: 'silent' }
    const service = await startService(readSettings(flags, env, 'none.yaml'))
    const text = await (await fetch(`${service.url}/metrics`)).text()
    await service.stop()
    await world?.close()
    folder.remove()
    expect(text).toContain(`hypocaust_build_info{version="${VERSION}",role="all"} 1`)
    expect(text).toContain('hypocaust_broker_connected{broker="embedded"} 1')
    expect(text).toContain('hypocaust_gateways{state="available"} 0')
    expect(text).toMatch(/^hypocaust_database_slow_statements_total \d+$/m)
    expect(/hypocaust_database_connections\{state="waiting"\} \d/.test(text)).toBe(engine === 'postgres')
    expect(text).not.toContain('state="most"')
    const done = MIGRATION_NAMES.length
    for (const [state, count] of Object.entries({ done, missing: 0, newer: 0 }))
      expect(text).toContain(`hypocaust_database_migrations{state="${state}"} ${count}`)
    const used = text.match(/(?<=^hypocaust_saturation_ratio\{resource=")\w+(?="\} (0|1|0\.\d+)$)/gm) ?? []
    const pool = engine === 'postgres' ? ['database_connections'] : []
    expect([...used].sort()).toEqual([...pool, 'event_loop', 'intake', 'requests'])
    expect(text.includes('hypocaust_database_standbys 0')).toBe(true)
  })
})

test.skipIf(inject('postgresUrl') === '')('PostgreSQL’s pool shows who uses it and who waits', async () => {
  const world = await openWorld('postgres')
  const store = await world.test.openAgain({ connections: 1 })
  const other = await world.test.connect()
  await other.execute('select pg_advisory_lock(1)')
  const wait = () => sql`select pg_advisory_xact_lock(1)`.execute(store.db)
  const both = [wait(), wait()]
  await eventually(() => store.load.connections?.waiting === 1)
  expect(store.load.connections).toEqual({ used: 1, idle: 0, waiting: 1, most: 1 })
  await other.end()
  await Promise.all(both)
  expect(store.load.connections).toEqual({ used: 0, idle: 1, waiting: 0, most: 1 })
  await store.close()
  await world.close()
})
