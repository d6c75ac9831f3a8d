import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { downTopic, upTopic } from '@hypocaust/domain'
import { openStore, readSettings, startService, VERSION } from '@hypocaust/service'
import { hypocaust } from '@hypocaust/testing/command.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { connectAsync } from 'mqtt'
import { describe, expect, test } from 'vitest'
import { MIGRATION_NAMES } from '../../service/src/store/migrations/names.ts'
import { copyOf, dataOf, RELEASES, type ReleaseCopy, run } from '../releases/copy.ts'
import { EMAIL, READINGS, ROOM_PATCH } from '../releases/house.ts'
import { PASSWORD } from '../settle.ts'

const settingsOf = ({ data, databaseUrl }: ReleaseCopy) =>
  readSettings(
    { data, port: 0, mqtt_port: 0, log_level: 'error' },
    databaseUrl === undefined ? {} : { HYPOCAUST_DATABASE_URL: databaseUrl },
  )

test('this version has its data folder here', () => {
  expect(RELEASES).toContain(VERSION)
})

describe.each(RELEASES)('the data of release %s', (release) => {
  test.each(ENGINES)('open on %s with everything in them, and the service serves them', async (engine) => {
    const copy = await copyOf(release, engine)
    const { buildingId, roomId, readKey, writeKey, gatewayId, token, writtenAt } = copy.house
    const clock = {
      elapsedMs: () => performance.now(),
      now: () => Date.parse(writtenAt) + Math.floor(performance.now()),
    }
    const service = await startService(settingsOf(copy), { clock })
    const room = `${service.url}/v1/buildings/${buildingId}/rooms/${roomId}`
    const ask = (key: string, init: RequestInit = {}) =>
      fetch(room, { ...init, headers: { 'x-api-key': key, 'content-type': 'application/json' } })

    const shown = await (await ask(readKey)).json()
    expect(shown).toMatchObject({ ...ROOM_PATCH, current_temperature: 20, sensor_id: 'a4:c1:38:5e:01:02' })
    const changed = await ask(writeKey, { method: 'PATCH', body: JSON.stringify({ target_temperature: 23 }) })
    expect(changed.status).toBe(200)
    expect(await changed.json()).toMatchObject({ target_temperature: 23 })

    const headers = { 'content-type': 'application/json', origin: service.url }
    const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
    expect((await fetch(`${service.url}/app/session`, { method: 'POST', headers, body })).status).toBe(200)

    const identity = { clientId: gatewayId, username: gatewayId, password: token }
    const gateway = await connectAsync(`mqtt://127.0.0.1:${service.mqtt.port}`, { protocolVersion: 4, ...identity })
    await gateway.subscribeAsync(downTopic(gatewayId, 'commit'), { qos: 1 })
    const commit = new Promise<string>((resolve) => {
      gateway.on('message', (_topic, payload) => resolve(payload.toString()))
    })
    const reading = { id: 'a4:c1:38:5e:01:02', temperature: 19, timestamp: new Date(clock.now()).toISOString() }
    const message = { boot: 'after', n: 7, backfill: false, readings: [reading] }
    await gateway.publishAsync(upTopic(gatewayId, 'readings'), JSON.stringify(message), { qos: 1 })
    expect(JSON.parse(await commit)).toEqual({ boot: 'after', n: 7 })
    await gateway.endAsync()
    await service.stop()

    const store = await openStore(copy.data, copy.databaseUrl)
    const { count } = await store.db
      .selectFrom('readings')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(READINGS + 1)
    await store.close()
    await copy.remove()
  })
})

test.each(RELEASES.filter((release) => migrationsIn(dataOf(release)).length < MIGRATION_NAMES.length))(
  'before the tables of %s are changed, they are backed up, and the backup brings them back',
  async (release) => {
    const copy = await copyOf(release, 'sqlite')
    const before = migrationsIn(copy.data)
    await (await openStore(copy.data)).close()
    expect(migrationsIn(copy.data)).not.toEqual(before)
    const backup = join(copy.data, `before-${VERSION}.backup`)
    expect((await hypocaust(copy.folder, ['restore', backup, '--data', copy.data, '--replace'])).code).toBe(0)
    expect(migrationsIn(copy.data)).toEqual(before)
    await copy.remove()
  },
)

function migrationsIn(data: string): string[] {
  // Immutable: a reader would leave files beside a fixture.
  const file = pathToFileURL(join(data, 'hypocaust.db'))
  file.search = '?immutable=1'
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select name from kysely_migration order by name').all() as { name: string }[]
  db.close()
  return rows.map(({ name }) => name)
}

test.each(ENGINES)('data of a newer version on %s are refused in one line that says what to do', async (engine) => {
  const copy = await copyOf(VERSION, engine)
  const insert =
    "insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '2099-01-01T00:00:00.000Z')"
  if (copy.databaseUrl !== undefined) await run(copy.databaseUrl, insert)
  else {
    const db = new DatabaseSync(join(copy.data, 'hypocaust.db'))
    db.exec(insert)
    db.close()
  }
  const env: Record<string, string> = copy.databaseUrl === undefined ? {} : { HYPOCAUST_DATABASE_URL: copy.databaseUrl }
  const { code, stdout, stderr } = await hypocaust(copy.folder, ['serve', '--data', copy.data, '--port', '0'], '', env)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toMatch(/was written by a newer version of Hypocaust\. Use that version or a newer one\./)
  await copy.remove()
})
