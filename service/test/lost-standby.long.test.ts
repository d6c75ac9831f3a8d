import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { PostgresPair } from '@hypocaust/testing/postgres-pair.ts'
import { appOn } from '@hypocaust/testing/world.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../src/store/postgres/open.ts'
import type { Store } from '../src/store/store.ts'

/** So many, one after the other, that the test would not end if each waited. */
const MANY = 200
const CONNECTIONS = 6

describe.runIf(ENGINES.includes('postgres'))('while commits wait for a standby that is gone', () => {
  let pair: PostgresPair
  let store: Store
  let app: FastifyInstance
  let holder: Holder
  beforeAll(async () => {
    pair = await PostgresPair.start()
    store = await openPostgres(pair.primary.url, { connections: CONNECTIONS })
    const clock = new TestClock()
    holder = await settleHolder(store, clock, 'ada@example.org', HOUSE)
    app = await appOn(store, clock)
  })
  afterAll(async () => {
    await app.close()
    await store.close()
    await pair.stop()
  })

  const rooms = () => `/v1/buildings/${holder.buildingId}/rooms`
  const read = async () => (await app.inject({ url: rooms(), headers: { 'x-api-key': holder.readKey } })).statusCode
  const change = (target: number) =>
    app.inject({
      method: 'PATCH',
      url: `${rooms()}/${holder.roomIds[0]}`,
      headers: { 'x-api-key': holder.writeKey, 'content-type': 'application/json' },
      payload: { target_temperature: target },
    })
  const ready = async () => (await app.inject({ url: '/health/ready' })).statusCode
  const connections = async () =>
    (await pair.primary.ask("select from pg_stat_activity where application_name = 'hypocaust'")).length

  test('the figures show the standby and what it has not applied, and to a role without the right only that it is there', async () => {
    expect(await store.standbys?.()).toEqual([{ name: expect.any(String), lagBytes: expect.any(Number) }])
    await pair.primary.ask('create role watcher login')
    await pair.primary.ask('grant all on all tables in schema public to watcher')
    const watcher = await openPostgres(pair.primary.url.replace('postgres@', 'watcher@'), { connections: 2 })
    expect(await watcher.standbys?.()).toEqual([{ name: expect.any(String), lagBytes: null }])
    await watcher.close()
  })

  test('a base backup is not taken for a standby, whose loss at its end would raise an alert', async () => {
    const backup = pair.startBackup()
    const isUnderWay = async () =>
      (await pair.primary.ask("select from pg_stat_replication where application_name = 'pg_basebackup'")).length > 0
    await eventually(isUnderWay)
    expect(await store.standbys?.()).toHaveLength(1)
    await backup.end()
  })

  test('reads go on, changes are answered 503 at once, and connections do not pile up', async () => {
    await eventually(async () => (await change(20)).statusCode === 200)
    await pair.standby.stop('immediate')
    await eventually(async () => (await store.standbys?.())?.length === 0)
    const first = await Promise.all([change(21), change(22), change(23), change(24), change(25), change(26)])
    expect(first.map(({ statusCode }) => statusCode)).toEqual(first.map(() => 503))
    for (let i = 0; i < MANY; i++) {
      const refused = await change(19)
      expect([refused.statusCode, refused.json().error.code]).toEqual([503, 'unavailable'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect([await read(), await ready()]).toEqual([200, 200])
    }
    expect(await connections()).toBeLessThanOrEqual(CONNECTIONS)
    await pair.standby.start()
    await pair.replicating()
    await eventually(async () => (await change(18)).statusCode === 200)
    expect(await connections()).toBeLessThanOrEqual(CONNECTIONS)
  })

  test('a process that is to stop does not wait for the standby', async () => {
    const other = await openPostgres(pair.primary.url, { connections: CONNECTIONS })
    await pair.standby.stop('immediate')
    const write = other.batch([other.db.updateTable('meta').set({ value: '2' }).where('name', '=', 'epoch')])
    await expect(write).rejects.toMatchObject({ kind: 'unavailable' })
    await other.close()
    await pair.standby.start()
    await pair.replicating()
  })
})
