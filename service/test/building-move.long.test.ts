import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { HOUSE, type Holder, STRANGERS_HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { Kysely } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import { Cell } from '../src/house/buildings/move/cell.ts'
import { FENCED, raiseFence } from '../src/house/buildings/move/fence.ts'
import { moveBuilding, undoMove } from '../src/house/buildings/move/move.ts'
import { MEMBERS, MOVED_PARTS } from '../src/house/buildings/move/parts.ts'
import { differences } from '../src/house/buildings/move/rows.ts'
import { claim, freeze, leave } from '../src/house/buildings/move/stages.ts'
import { camelCase } from '../src/store/column-names.ts'
import type { Store } from '../src/store/store.ts'

const ADDRESS = { url: 'https://cell-2.example', brokerUrl: 'mqtts://cell-2.example:8883' }
const clock = new TestClock()

const anyTable = ({ db }: Store) => db as unknown as Kysely<Record<string, Record<string, unknown>>>
const put = (store: Store, table: string, ...rows: Record<string, unknown>[]) =>
  anyTable(store).insertInto(table).values(rows).execute()

/** Something in every table of a building. */
async function fill(store: Store, { buildingId, accountId }: Holder): Promise<void> {
  const idsOf = async (table: 'sensors' | 'rooms' | 'gateways') =>
    (await store.db.selectFrom(table).select('id').where('buildingId', '=', buildingId).execute()).map(({ id }) => id)
  const [sensorId] = await idsOf('sensors')
  const [roomId] = await idsOf('rooms')
  const [gatewayId] = await idsOf('gateways')
  const startsAt = clock.now() - 3_600_000
  const means = { count: 3, meanC: 20.1, minC: 19, maxC: 21, humidityCount: 0, humidityPct: null }
  const readings = Array.from({ length: 900 }, (_, i) => ({
    ...{ buildingId, sensorId, measuredAt: startsAt - i * 60_000, temperatureC: 20 + i / 700, humidityPct: null },
  }))
  await put(store, 'readings', ...readings)
  await put(store, 'readingsFiveMinute', { sensorId, startsAt, ...means })
  await put(store, 'readingsHourly', { sensorId, startsAt, ...means })
  await put(store, 'weather', { buildingId, updatedAt: startsAt, temperatureC: 1, cloudPct: 2, windDeg: 3, windMs: 4 })
  await put(store, 'controlStates', { roomId, version: 1, state: '{}' })
  await put(store, 'decisions', { roomId, decidedAt: startsAt, power: 0.5, targetC: 21, decision: '{"why":"’"}' })
  await put(store, 'roomSlots', { roomId, endsAt: startsAt, slot: '{}' })
  await put(store, 'roomHeat', { roomId, day: '2026-01-10', kwhM2: 0.1, spread: 0.2, hours: '[]', costM2: null })
  await put(store, 'roomExaminations', { roomId, examinedAt: startsAt, examination: '{}' })
  await put(store, 'roomSavings', { roomId, replayedAt: startsAt, settings: '{}', savings: '{}' })
  await put(store, 'promises', { roomId, dueAt: startsAt, setpointC: 21, expectedC: 20.9, measuredC: null })
  await put(store, 'formerSensors', { roomId, untilAt: startsAt, sensorId, otherSensors: null })
  const vote = { pressedAt: startsAt, feeling: 'too_cold', setpointC: 20, temperatureC: 19 }
  await put(store, 'comfortVotes', { roomId, hourAt: startsAt, ...vote })
  await put(store, 'valveWindows', {
    gatewayId,
    channel: 1,
    startedAt: startsAt,
    windowS: 900,
    openS: 300,
    source: 'command',
  })
  await put(store, 'meterReadings', { gatewayId, kind: 'heat', hourAt: startsAt, readAt: startsAt, kwh: 12 })
  await put(store, 'gatewayMessages', { gatewayId, boot: 'b', n: 1, receivedAt: startsAt })
  await put(store, 'contacts', { buildingId, id: 'window', roomId, isOpen: 0, batteryPct: null, measuredAt: startsAt })
  await put(store, 'loopTests', { gatewayId, channel: 1, roomId, testedAt: startsAt, certainty: 0.9 })
  await put(store, 'loopDetails', { gatewayId, channel: 1, lengthM: 80 })
  await put(store, 'screedRecords', { buildingId, runId: 'r', n: 1, text: '{}', hash: 'h' })
  await put(store, 'limitRecords', {
    ...{ buildingId, promisedAt: startsAt, fromAt: startsAt, untilAt: startsAt, limitW: 0, roomIds: '[]' },
    ...{ plannedKwh: 1, promisedKwh: 1, scale: 1, withdrawn: 0 },
  })
  await put(store, 'calendars', { id: `c-${buildingId}`, buildingId, name: 'Work', rules: '[]', dueAt: startsAt })
  const alert = { subject: 's', openSubject: `${buildingId}/s`, alert: '{}', beganAt: startsAt }
  await put(store, 'alerts', { id: `a-${buildingId}`, buildingId, roomId, ...alert })
  await put(store, 'monthlyMails', { accountId, buildingId, month: '2026-01', dueAt: null, attempts: 1 })
  await put(store, 'marketPrices', { area: `building:${buildingId}`, dueAt: startsAt, prices: '[]' })
  await store.db
    .updateTable('gateways')
    .set({ commandSeq: 881, command: '{}', commandDueAt: startsAt, tokenHash: 'th', mqttHash: 'mh' })
    .where('id', '=', gatewayId ?? '')
    .execute()
}

describe.skipIf(!ENGINES.includes('postgres'))('a building that moves between two databases', () => {
  let here: TestStore
  let there: TestStore
  let holder: Holder
  let from: Cell
  let to: Cell
  beforeAll(async () => {
    ;[here, there] = await Promise.all([openTestStore('postgres'), openTestStore('postgres')])
    ;[from, to] = await Promise.all([Cell.open(here.url, 'the source'), Cell.open(there.url, 'the target')])
  })
  afterAll(async () => {
    await Promise.all([from.close(), to.close()])
    await Promise.all([here.close(), there.close()])
  })
  beforeEach(async () => {
    holder = await settleHolder(here.store, clock, 'ada@example.org', HOUSE)
    await settleHolder(here.store, clock, 'eve@example.org', STRANGERS_HOUSE)
    await settleMember(here.store, clock, { buildingId: holder.buildingId, role: 'guest', email: 'bo@example.org' })
    await fill(here.store, holder)
  })
  afterEach(async () => {
    for (const { store } of [here, there]) {
      await store.db.deleteFrom('buildingMoves').execute()
      await store.db.deleteFrom('movedGateways').execute()
      await store.db.deleteFrom('marketPrices').execute()
      await store.db.deleteFrom('user').execute()
    }
  })

  const wanted = (swapped = false) => ({
    building: holder.buildingId,
    from: (swapped ? there : here).url,
    to: (swapped ? here : there).url,
    graceMs: 0,
  })
  const move = (address = ADDRESS) => moveBuilding(wanted(), address, clock)
  test('costs nothing where none ever moves, and is guarded in every table that changes', async () => {
    const guarded = async () => {
      const rows = await from.rows<{ name: string }>(
        "select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid where tgname = 'building_moves' and tgparentid = 0",
      )
      return rows.map(({ name }) => name)
    }
    expect(await guarded()).toEqual([])
    await raiseFence(from)
    await raiseFence(from)
    expect((await guarded()).sort()).toEqual(FENCED.map(([table]) => table).sort())
    // Means are worked out from readings, and prices come for all buildings of an area.
    const unguarded = ['readings_five_minute', 'readings_hourly', 'market_prices']
    const moved = ['buildings', MEMBERS.table, ...MOVED_PARTS.map(({ table }) => table)]
    expect(moved.filter((table) => !FENCED.some(([fenced]) => fenced === table))).toEqual(unguarded)
  })

  const killedBefore = (step: string) => {
    const killed = moveBuilding(wanted(), ADDRESS, clock, (next) => {
      if (next === step) throw new Error('killed')
    })
    return expect(killed).rejects.toThrow('killed')
  }
  const stages = async () => [await from.stageOf(holder.buildingId), await to.stageOf(holder.buildingId)]
  /** Of every table, the rows of the building as they are at the source. */
  async function snapshot(cell: Cell) {
    const tables: Record<string, unknown[]> = {}
    for (const { table, where } of [...MOVED_PARTS, MEMBERS]) {
      const found = await cell.rows(`select to_jsonb(t)::text as row from "${table}" t where ${where}`, [
        holder.buildingId,
      ])
      tables[camelCase(table)] = found.map(({ row }) => row).toSorted()
    }
    return tables
  }
  const isWhole = async (cell: Cell) =>
    (await cell.has(holder.buildingId)) && (await cell.stageOf(holder.buildingId)) === null
  const rename = (store: Store, name: string) =>
    store.db.updateTable('buildings').set({ name }).where('id', '=', holder.buildingId).execute()

  test('has every row of every table there afterwards, and none here', async () => {
    const before = await snapshot(from)
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
    await move()
    const after = await snapshot(to)
    expect({ ...after, gateways: [] }).toEqual({ ...before, gateways: [] })
    expect(Object.values(await snapshot(from)).flat()).toEqual([])
    expect(await stages()).toEqual(['moved', null])
  })

  test('leaves all others as they were', async () => {
    const others = () => here.store.db.selectFrom('rooms').selectAll().where('name', '=', 'Hall').execute()
    const before = await others()
    await move()
    expect(await others()).toEqual(before)
    expect(await there.store.db.selectFrom('buildings').select('name').execute()).toEqual([{ name: HOUSE.name }])
  })

  test('takes the accounts of its members along with their keys, and nobody else’s', async () => {
    const result = await move()
    expect(result.accounts_added.toSorted()).toEqual(['ada@example.org', 'bo@example.org'])
    const keys = (store: Store) =>
      store.db
        .selectFrom('apiKeys')
        .select(['hash', 'permission'])
        .where('accountId', '=', holder.accountId)
        .orderBy('hash')
        .execute()
    expect(await keys(there.store)).toEqual(await keys(here.store))
    expect(await there.store.db.selectFrom('user').select('email').orderBy('email').execute()).toEqual([
      { email: 'ada@example.org' },
      { email: 'bo@example.org' },
    ])
  })

  test('numbers its commands above all that its gateways have heard, also in a database of an earlier epoch', async () => {
    await here.store.db.updateTable('meta').set({ value: '5' }).where('name', '=', 'epoch').execute()
    await move()
    await here.store.db.updateTable('meta').set({ value: '1' }).where('name', '=', 'epoch').execute()
    const gateway = () =>
      there.store.db
        .selectFrom('gateways')
        .select(['commandSeq', 'epochOffset', 'commandDueAt'])
        .where('commandSeq', '>', 0)
        .executeTakeFirstOrThrow()
    expect(await gateway()).toEqual({ commandSeq: 881, epochOffset: 4, commandDueAt: 0 })
  })

  test('goes back as it came', async () => {
    const before = await snapshot(from)
    await move()
    await moveBuilding(wanted(true), { url: 'https://cell-1.example', brokerUrl: null }, clock)
    expect({ ...(await snapshot(from)), gateways: [] }).toEqual({ ...before, gateways: [] })
    expect(await stages()).toEqual([null, 'moved'])
    expect(await here.store.db.selectFrom('movedMembers').selectAll().execute()).toEqual([])
  })

  test('keeps what was written, changed and deleted while it was copied', async () => {
    const { db } = here.store
    const late = {
      buildingId: holder.buildingId,
      measuredAt: clock.now() - 40 * 86_400_000,
      temperatureC: 3,
      humidityPct: null,
    }
    await moveTwice(async () => {
      const { id: sensorId } = await db
        .selectFrom('sensors')
        .select('id')
        .where('buildingId', '=', holder.buildingId)
        .executeTakeFirstOrThrow()
      await put(here.store, 'readings', { ...late, sensorId })
      await db.deleteFrom('contacts').where('buildingId', '=', holder.buildingId).execute()
      await db
        .updateTable('rooms')
        .set({ name: 'Bad' })
        .where('id', '=', holder.roomIds[0] ?? '')
        .execute()
    })
    expect(await there.store.db.selectFrom('contacts').selectAll().execute()).toEqual([])
    expect(
      await there.store.db.selectFrom('readings').select('temperatureC').where('temperatureC', '=', 3).execute(),
    ).toHaveLength(1)
    expect(await there.store.db.selectFrom('rooms').select('name').where('name', '=', 'Bad').execute()).toHaveLength(1)
  })

  /** Broken off after the first pass, then done with what has changed since. */
  async function moveTwice(between: () => Promise<void>) {
    await killedBefore('take over')
    expect(await stages()).toEqual([null, 'arriving'])
    await between()
    await move()
  }

  test('is not seen there, and not written there by others, before it has arrived', async () => {
    await killedBefore('take over')
    expect(await there.store.db.selectFrom('members').selectAll().execute()).toEqual([])
    await expect(
      there.store.db
        .updateTable('gateways')
        .set({ commandSeq: 882 })
        .where('buildingId', '=', holder.buildingId)
        .execute(),
    ).rejects.toMatchObject({ kind: 'moving' })
  })

  describe('that is frozen', () => {
    beforeEach(async () => {
      await raiseFence(from)
      await freeze(from, holder.buildingId, ADDRESS, clock)
    })

    test('refuses every write, and is read as before', async () => {
      const [room = ''] = holder.roomIds
      const [gateway = ''] = holder.gatewayIds
      const { db } = here.store
      const refused = { kind: 'moving' }
      await expect(rename(here.store, 'X')).rejects.toMatchObject(refused)
      await expect(db.updateTable('rooms').set({ targetC: 22 }).where('id', '=', room).execute()).rejects.toMatchObject(
        refused,
      )
      await expect(
        db.updateTable('controlStates').set({ version: 2 }).where('roomId', '=', room).execute(),
      ).rejects.toMatchObject(refused)
      await expect(
        db.updateTable('gateways').set({ commandSeq: 882 }).where('id', '=', gateway).execute(),
      ).rejects.toMatchObject(refused)
      await expect(db.deleteFrom('rooms').where('id', '=', room).execute()).rejects.toMatchObject(refused)
      await expect(removeBuilding(here.store, holder.buildingId)).rejects.toMatchObject(refused)
      const { id: sensorId } = await db
        .selectFrom('sensors')
        .select('id')
        .where('buildingId', '=', holder.buildingId)
        .executeTakeFirstOrThrow()
      const reading = {
        buildingId: holder.buildingId,
        sensorId,
        measuredAt: clock.now(),
        temperatureC: 3,
        humidityPct: null,
      }
      await expect(put(here.store, 'readings', reading)).rejects.toMatchObject(refused)
      await expect(
        db.updateTable('apiKeys').set({ revokedAt: 1 }).where('accountId', '=', holder.accountId).execute(),
      ).rejects.toMatchObject(refused)
      expect(await db.selectFrom('rooms').select('targetC').where('id', '=', room).execute()).toHaveLength(1)
    })

    test('leaves the writes of other buildings alone, also in the same batch', async () => {
      const { db } = here.store
      const hall = db.updateTable('rooms').set({ targetC: 23 }).where('name', '=', 'Hall')
      const bath = db
        .updateTable('rooms')
        .set({ targetC: 23 })
        .where('id', '=', holder.roomIds[0] ?? '')
      const [first, second] = await here.store.batchEach([{ queries: [bath] }, { queries: [hall] }])
      expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
    })

    test('is finished by the same call', async () => {
      await move()
      expect([await isWhole(from), await isWhole(to)]).toEqual([false, true])
    })

    test('is written again after the move was undone', async () => {
      await claim(to, holder.buildingId, 0)
      await undoMove(wanted())
      await rename(here.store, 'X')
      expect([await isWhole(from), await isWhole(to), ...(await stages())]).toEqual([true, false, null, null])
    })
  })

  test('waits with the last copy for writes that were under way', async () => {
    const slow = await here.connect()
    await slow.execute('begin')
    await slow.execute(`update rooms set name = 'Slow' where id = '${holder.roomIds[0]}'`)
    const frozen = freeze(from, holder.buildingId, ADDRESS, clock)
    let isFrozen = false
    void frozen.then(() => {
      isFrozen = true
    })
    await expect(rejection((n) => rename(here.store, `X ${n}`))).resolves.toMatchObject({ kind: 'moving' })
    expect(isFrozen).toBe(false)
    await slow.execute('commit')
    await frozen
    await slow.end()
    await move()
    expect(await there.store.db.selectFrom('rooms').select('name').where('name', '=', 'Slow').execute()).toHaveLength(1)
  })

  /** The first refusal, however many writes were done before it; each writes something else. */
  async function rejection(write: (n: number) => Promise<unknown>): Promise<unknown> {
    for (let n = 1; ; n++) {
      try {
        await write(n)
      } catch (error) {
        return error
      }
    }
  }

  test('of which the target has taken over is cleared here by the same call, and cannot be undone', async () => {
    await killedBefore('clean up')
    expect(await stages()).toEqual(['leaving', null])
    await expect(undoMove(wanted())).rejects.toThrow('has arrived at the target')
    await expect(rename(here.store, 'X')).rejects.toMatchObject({ kind: 'moving' })
    expect(await move()).toMatchObject({ pause_ms: null })
    expect(await stages()).toEqual(['moved', null])
  })

  test('half cleared here is cleared by the same call', async () => {
    await killedBefore('clean up')
    await from.write("update building_moves set stage = 'left'")
    await move()
    expect(await stages()).toEqual(['moved', null])
    await leave(from, holder.buildingId, ADDRESS, 0)
    expect(await isWhole(to)).toBe(true)
  })

  test('is refused where the address of a member belongs to another account there', async () => {
    await settleHolder(there.store, clock, 'ada@example.org', STRANGERS_HOUSE)
    await expect(move()).rejects.toThrow('another account has the address ada@example.org')
    expect(await isWhole(from)).toBe(true)
  })

  test('is refused where the target is of another version, has another secret, or is the same database', async () => {
    await expect(moveBuilding({ ...wanted(), to: here.url }, ADDRESS, clock)).rejects.toThrow('the same database')
    await put(there.store, 'meta', { name: 'auth_secret_fingerprint', value: 'x' })
    await expect(move()).rejects.toThrow('different auth secrets')
    await there.store.db.deleteFrom('meta').where('name', '=', 'auth_secret_fingerprint').execute()
  })

  test('is refused while a gateway would not follow it to another broker', async () => {
    const [id = ''] = holder.gatewayIds
    await here.store.db.updateTable('gateways').set({ lastSeenAt: 1 }).where('id', '=', id).execute()
    await expect(move()).rejects.toThrow('cellar. Update their agents first.')
    await here.store.db.updateTable('gateways').set({ followsMoves: 1 }).where('id', '=', id).execute()
    await move()
    expect(await isWhole(to)).toBe(true)
  })

  test('is refused while its loops are tested', async () => {
    await here.store.db.updateTable('buildings').set({ loopRunDueAt: 1 }).where('id', '=', holder.buildingId).execute()
    await expect(move()).rejects.toThrow('its loops are being tested')
  })

  test('is named by its id or its whole name', async () => {
    await expect(moveBuilding({ ...wanted(), building: 'Nowhere 1' }, ADDRESS, clock)).rejects.toThrow(
      'there is no building Nowhere 1',
    )
    await moveBuilding({ ...wanted(), building: HOUSE.name }, ADDRESS, clock)
    expect(await isWhole(to)).toBe(true)
  })

  test('shows no difference after it was copied, whatever the order of its rows', async () => {
    await move()
    for (const part of MOVED_PARTS)
      expect([part.table, await differences(to, to, part, holder.buildingId)]).toEqual([part.table, []])
  })
})
