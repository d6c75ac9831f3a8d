import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TestClock } from '@hypocaust/testing/clock.ts'
import { carriedOut } from '@hypocaust/testing/command.ts'
import { ENGINES, type Engine, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { addAccount, HOUSE, type Holder, STRANGERS_HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { removeBuilding } from '../../service/src/house/buildings/manage.ts'
import { LEFT_OUT, PARTS, restoreBuilding } from '../../service/src/house/buildings/restore.ts'
import { gatherChanges } from '../../service/src/people/webhooks/gather.ts'
import { camelCase } from '../../service/src/store/column-names.ts'
import type { Store } from '../../service/src/store/store.ts'

const clock = new TestClock()
const folder = temporaryFolder()
const backup = join(folder.path, 'all.backup')
let home: TestStore
let holder: Holder

beforeAll(async () => {
  home = await openTestStore('sqlite')
  holder = await settleHolder(home.store, clock, 'ada@example.org', HOUSE)
  await settleHolder(home.store, clock, 'eve@example.org', STRANGERS_HOUSE)
  await settleMember(home.store, clock, { buildingId: holder.buildingId, role: 'guest', email: 'bo@example.org' })
  await fill(home.store)
  expect((await carriedOut(['backup', backup, '--data', home.folder, '--json'])).code).toBe(0)
})
afterAll(async () => {
  await home.close()
  folder.remove()
})

const anyTable = ({ db }: Store) => db as unknown as Kysely<Record<string, Record<string, unknown>>>

/** Something in every table that can be filled: more readings than are copied at a time. */
async function fill(store: Store): Promise<void> {
  const { buildingId } = holder
  const { db } = store
  const idsOf = async (table: 'sensors' | 'rooms' | 'gateways') =>
    (await db.selectFrom(table).select('id').where('buildingId', '=', buildingId).execute()).map(({ id }) => id)
  const [[sensorId = ''], [roomId = ''], [gatewayId = '']] = [
    await idsOf('sensors'),
    await idsOf('rooms'),
    await idsOf('gateways'),
  ]
  const startsAt = clock.now() - 3_600_000
  const put = (table: string, ...rows: Record<string, unknown>[]) =>
    anyTable(store).insertInto(table).values(rows).execute()
  const means = { count: 3, meanC: 20, minC: 19, maxC: 21, humidityCount: 0, humidityPct: null }
  const readings = Array.from({ length: 1201 }, (_, i) => ({
    buildingId,
    sensorId,
    measuredAt: startsAt + i * 1000,
    temperatureC: 20 + i / 1000,
    humidityPct: null,
  }))
  for (const part of [readings.slice(0, 600), readings.slice(600)]) await put('readings', ...part)
  await put('readingsFiveMinute', { sensorId, startsAt, ...means })
  await put('readingsHourly', { sensorId, startsAt, ...means })
  await put('weather', { buildingId, updatedAt: startsAt, temperatureC: 1, cloudPct: 2, windDeg: 3, windMs: 4 })
  await put('decisions', { roomId, decidedAt: startsAt, power: 0.5, targetC: 21, decision: '{}' })
  await put('roomSlots', { roomId, endsAt: startsAt, slot: '{}' })
  await put('roomHeat', { roomId, day: '2026-01-10', kwhM2: 0.1, spread: 0.2, hours: '[]', costM2: null })
  await put('roomSavings', { roomId, replayedAt: startsAt, settings: '{}', savings: '{}' })
  await put('promises', { roomId, dueAt: startsAt, setpointC: 21, expectedC: 20.9, measuredC: null })
  await put('formerSensors', { roomId, untilAt: startsAt, sensorId, otherSensors: null })
  await put('comfortVotes', {
    roomId,
    hourAt: startsAt,
    pressedAt: startsAt,
    feeling: 'too_cold',
    setpointC: 20,
    temperatureC: 19,
  })
  await put('valveWindows', { gatewayId, channel: 1, startedAt: startsAt, windowS: 900, openS: 300, source: 'command' })
  await put('meterReadings', { gatewayId, kind: 'heat', hourAt: startsAt, readAt: startsAt, kwh: 12 })
  await put('gatewayMessages', { gatewayId, boot: 'b', n: 1, receivedAt: startsAt })
  await put('contacts', { buildingId, id: 'window', roomId, isOpen: 0, batteryPct: null, measuredAt: startsAt })
  await put('loopTests', { gatewayId, channel: 1, roomId, testedAt: startsAt, certainty: 0.9 })
  await db.updateTable('gateways').set({ commandSeq: 881, command: '{}', commandDueAt: startsAt }).execute()
}

/** All rows of the building in a table, without what a restore begins anew. */
async function rowsIn(store: Store, { table, of }: (typeof PARTS)[number]): Promise<string[]> {
  const owners = anyTable(store).selectFrom(`${of}s`).select('id').where('buildingId', '=', holder.buildingId)
  const all = anyTable(store).selectFrom(table).selectAll()
  const rows = await (of === 'building'
    ? all.where('buildingId', '=', holder.buildingId)
    : all.where(`${of}Id`, 'in', owners)
  ).execute()
  const anew = ['commandSeq', 'command', 'commandDueAt', 'actorAccountId']
  return rows
    .filter(({ field }) => table !== 'changeLog' || field !== 'building')
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name]) => !anew.includes(name))
          .toSorted(),
      ),
    )
    .toSorted()
}

test('every table of a building is restored or left out on purpose', () => {
  const db = new DatabaseSync(join(home.folder, 'hypocaust.db'), { readOnly: true })
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => String(name))
  const refersTo = (name: string) =>
    db
      .prepare(`pragma foreign_key_list("${name}")`)
      .all()
      .map(({ table }) => String(table))
  const owned = new Set(['buildings'])
  for (let before = 0; before < owned.size; ) {
    before = owned.size
    for (const name of tables) if (refersTo(name).some((table) => owned.has(table))) owned.add(name)
  }
  db.close()
  const known = ['buildings', 'members', ...PARTS.map(({ table }) => table), ...LEFT_OUT]
  expect(known.toSorted()).toEqual([...owned].map(camelCase).toSorted())
})

describe.each(ENGINES)('one building, restored into %s', (engine: Engine) => {
  let target: TestStore
  const restoring = (...args: string[]) =>
    carriedOut(['building', 'restore', ...args, '--from', backup, '--json', '--data', target.folder])
  beforeAll(async () => {
    target = await openTestStore(engine)
    if (engine === 'postgres') vi.stubEnv('HYPOCAUST_DATABASE_URL', target.url)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await target.close()
  })

  test('needs an owner', async () => {
    const { code, stderr } = await restoring(holder.buildingId)
    expect([code, stderr]).toEqual([1, expect.stringContaining('--account EMAIL')])
  })

  test('is as it was, with those of its members who have an account', async () => {
    const accountId = await addAccount(target.store, 'ada@example.org')
    const webhook = { id: 'w', accountId, url: 'https://receiver.example/', events: '["change"]', createdAt: 0 }
    await target.store.db.insertInto('webhooks').values(webhook).execute()
    const { code, json } = await restoring(HOUSE.name)
    expect(code).toBe(0)
    expect(json).toMatchObject({
      id: holder.buildingId,
      members: ['ada@example.org'],
      without_account: ['bo@example.org'],
    })
    for (const part of PARTS) {
      const before = await rowsIn(home.store, part)
      expect([part.table, await rowsIn(target.store, part)]).toEqual([part.table, before])
      expect([part.table, json.tables[part.table]]).toEqual([part.table, expect.any(Number)])
    }
    const { accountId: owner } = await target.store.db
      .selectFrom('buildings')
      .select('accountId')
      .executeTakeFirstOrThrow()
    expect(owner).toBe(accountId)
  })

  test('the webhooks of its members are not sent its history', async () => {
    while (await gatherChanges(target.store, clock.now()));
    expect(await target.store.db.selectFrom('webhookDeliveries').select('type').execute()).toEqual([])
  })

  test('its gateway gets numbers of commands that it has never heard, and no old command', async () => {
    const { commandSeq, command } = await target.store.db
      .selectFrom('gateways')
      .select(['commandSeq', 'command'])
      .executeTakeFirstOrThrow()
    expect(commandSeq).toBeGreaterThan(1_000_000_000)
    expect(command).toBeNull()
  })

  test('is refused while it is there', async () => {
    const { code, stderr } = await restoring(holder.buildingId)
    expect([code, stderr]).toEqual([1, expect.stringContaining('is there')])
  })

  test('is begun again where a restore was interrupted', async () => {
    await target.store.db.deleteFrom('members').execute()
    await target.store.db.deleteFrom('readings').execute()
    const { code, json } = await restoring(holder.buildingId)
    expect(code).toBe(0)
    expect(json.tables.readings).toBe(1201)
  })

  test('an unknown one is refused with its name', async () => {
    const { code, stderr } = await restoring('Nowhere 1')
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no building Nowhere 1')])
  })

  test.runIf(engine === 'postgres')('comes from another database as well', async () => {
    vi.unstubAllEnvs()
    const other = await openTestStore('sqlite')
    await addAccount(other.store, 'ada@example.org')
    const { code } = await carriedOut([
      'building',
      'restore',
      HOUSE.name,
      '--from',
      target.url,
      '--data',
      other.folder,
      '--json',
    ])
    expect(code).toBe(0)
    for (const part of PARTS) expect(await rowsIn(other.store, part)).toEqual(await rowsIn(home.store, part))
    await removeBuilding(other.store, holder.buildingId)
    await other.close()
  })
})

test.each(ENGINES)(
  'a building whose members are all gone is restored for the account that is named, into %s',
  async (engine) => {
    const target = await openTestStore(engine)
    const from = await openTestStore('sqlite')
    const { buildingId } = await settleHolder(from.store, clock, 'cy@example.org', HOUSE)
    await from.store.db.deleteFrom('members').execute()
    const ownerId = await addAccount(target.store, 'ada@example.org')
    const wanted = { building: buildingId, ownerId, onProgress: () => undefined }
    expect(await restoreBuilding(from.store, target.store, clock, wanted)).toMatchObject({
      id: buildingId,
      members: [],
    })
    const members = await target.store.db.selectFrom('members').select(['accountId', 'role']).execute()
    expect(members).toEqual([{ accountId: ownerId, role: 'owner' }])
    await from.close()
    await target.close()
  },
)
