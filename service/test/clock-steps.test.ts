import { airFrom } from '@hypocaust/control'
import { DAY_MS, HOUR_MS } from '@hypocaust/domain/facts'
import { MINUTE_MS, TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { reading, type TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../src/base/clock.ts'
import { createLogger } from '../src/base/logger.ts'
import { rateLimits } from '../src/doors/http/common-limits.ts'
import { correctFutureTimestamps } from '../src/house/future-timestamps.ts'
import { buildingsDue } from '../src/house/gateways/commands.ts'
import { createPairingCode, exchangePairingCode, PAIRING_VALID_S } from '../src/house/gateways/pairing.ts'
import { readInputs } from '../src/house/heating/inputs.ts'
import { SetBackWatch, StepWatch } from '../src/processes/step-watch.ts'
import { DatabaseClock } from '../src/store/postgres/clock.ts'
import type { Store } from '../src/store/store.ts'

const STEPS: [string, number][] = [
  ['an hour back', -HOUR_MS],
  ['a day back', -DAY_MS],
  ['a year back', -365 * DAY_MS],
  ['an hour ahead', HOUR_MS],
  ['a day ahead', DAY_MS],
  ['a year ahead', 365 * DAY_MS],
]

describe.each(STEPS)('the clock is set %s', (_how, stepMs) => {
  let world: MqttWorld
  let gateway: TestGateway
  beforeAll(async () => {
    world = await openMqttWorld()
    gateway = await world.gateway()
  })
  afterAll(() => world.close())

  test('and the room shows and is heated by the reading that came after it', async () => {
    const { world: house, clock, store } = world
    await gateway.deliver([reading(BATHROOM_SENSOR, 25, clock.now())])
    clock.step(stepMs)
    // Measured in the future: of unknown age, so it neither shows nor heats.
    if (stepMs < 0) expect((await house.bathroom()).current_temperature).toBe(null)
    clock.advance(MINUTE_MS)
    await gateway.deliver([reading(BATHROOM_SENSOR, 18, clock.now())])
    expect((await house.bathroom()).current_temperature).toBe(18)
    const inputs = await readInputs(store, house.holder.buildingId, clock.now())
    const room = inputs?.rooms.find(({ id }) => id === house.bathroomId)
    if (!inputs || !room) throw new Error('the house has a bathroom')
    expect(
      airFrom(
        room.temperatureC === null || room.measuredAt === null
          ? null
          : { airC: room.temperatureC, atMs: room.measuredAt },
        clock.now(),
      ),
    ).toMatchObject({ kind: 'fresh', airC: 18 })
  })

  test('and a building is available by the heartbeats that come after it', async () => {
    const { world: house, clock } = world
    const available = async () => (await house.get(house.buildingPath)).json.available === true
    gateway.say('heartbeat', { boot: gateway.boot })
    await eventually(available)
    clock.step(stepMs)
    expect(await available()).toBe(false)
    gateway.say('heartbeat', { boot: gateway.boot })
    await eventually(available)
  })

  test('and what is stored to be done is done within the usual time', async () => {
    const { clock, store } = world
    await store.db
      .updateTable('gateways')
      .set({ commandDueAt: clock.now() + 15 * MINUTE_MS, lastSeenAt: clock.now() })
      .execute()
    await store.db.updateTable('buildings').set({ controlledAt: clock.now(), alertsCheckedAt: clock.now() }).execute()
    await store.db.updateTable('rooms').set({ heatCountedAt: clock.now() }).execute()
    const { accountId, buildingId } = world.world.holder
    const mail = { accountId, buildingId, month: '2026-01', dueAt: clock.now() + MINUTE_MS, attempts: 1 }
    await store.db.deleteFrom('monthlyMails').execute()
    await store.db.insertInto('monthlyMails').values(mail).execute()
    clock.step(stepMs)
    await correctFutureTimestamps(store, clock.now())
    clock.advance(15 * MINUTE_MS)
    expect((await buildingsDue(store, clock)).length).toBeGreaterThan(0)
    const late = await store.db
      .selectFrom('buildings')
      .select('id')
      .where((eb) => eb.or([eb('controlledAt', '>', clock.now()), eb('alertsCheckedAt', '>', clock.now())]))
      .execute()
    expect(late).toEqual([])
    const uncounted = store.db.selectFrom('rooms').select('id').where('heatCountedAt', '>', clock.now())
    expect(await uncounted.execute()).toEqual([])
    clock.advance(HOUR_MS)
    const unsent = store.db.selectFrom('monthlyMails').select('month').where('dueAt', '>', clock.now())
    expect(await unsent.execute()).toEqual([])
  })
})

describe.each(ENGINES)('on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  afterEach(() => world.clock.startOver())

  test.each(STEPS)('a budget used up is there again within its minute, the clock set %s', async (how, stepMs) => {
    const limits = rateLimits(`steps ${how}`, { read: 2, write: 2 }, world.store, world.clock)
    for (let i = 0; i < 3; i++) await limits.spend('key', 'read')
    world.clock.step(stepMs)
    const { resetS } = await limits.spend('key', 'read')
    expect(resetS).toBeLessThanOrEqual(60)
    world.clock.advance(61_000)
    expect((await limits.spend('key', 'read')).exceeded).toBe(false)
  })

  test('a look for times in the future is one read, and begins no transaction where there are none', async () => {
    const before = await writtenSoFar(world.store)
    const read = vi.spyOn(world.store, 'read')
    const batch = vi.spyOn(world.store, 'batch')
    expect(await correctFutureTimestamps(world.store, world.clock.now())).toBe(0)
    expect([read.mock.calls.length, batch.mock.calls.length]).toEqual([1, 0])
    for (const spy of [read, batch]) spy.mockRestore()
    expect(await writtenSoFar(world.store)).toEqual(before)
  })

  test.each(STEPS)('a pairing code never lives longer than its time, the clock set %s', async (_how, stepMs) => {
    const code = await createPairingCode(world.store, world.clock, world.holder.gatewayIds[0] ?? '')
    world.clock.step(stepMs)
    world.clock.advance((PAIRING_VALID_S + 1) * 1000)
    expect(await exchangePairingCode(world.store, world.clock, code)).toBe(undefined)
  })
})

/** Another after every write: what SQLite counts for a file, and the transaction that PostgreSQL keeps with each row. */
async function writtenSoFar({ db, engine, read }: Store): Promise<unknown> {
  const query =
    engine === 'sqlite'
      ? sql`pragma data_version`
      : sql`select xmin::text from buildings union all select xmin::text from gateways
          union all select xmin::text from rooms union all select xmin::text from api_keys`
  return read(query.compile(db.withoutPlugins()))
}

test('history is not thinned out by a clock that has just jumped', () => {
  const clock = new TestClock()
  const watch = new StepWatch(clock)
  expect(watch.isSettled()).toBe(true)
  clock.step(365 * DAY_MS)
  expect(watch.isSettled()).toBe(false)
  clock.step(-365 * DAY_MS)
  expect(watch.isSettled()).toBe(false)
  clock.advance(23 * HOUR_MS)
  expect(watch.isSettled()).toBe(false)
  clock.advance(HOUR_MS)
  expect(watch.isSettled()).toBe(true)
})

test('a clock that is set back is noticed once, also by small steps; one that runs or is set ahead is not', () => {
  const clock = new TestClock()
  const watch = new SetBackWatch(clock)
  const seen = (act: () => void) => {
    act()
    return watch.wasSetBack()
  }
  expect(seen(() => clock.advance(DAY_MS))).toBe(false)
  expect(seen(() => clock.step(DAY_MS))).toBe(false)
  expect(seen(() => clock.step(-HOUR_MS))).toBe(true)
  expect(seen(() => clock.advance(HOUR_MS))).toBe(false)
  expect(seen(() => clock.step(-40_000))).toBe(false)
  expect(seen(() => clock.step(-40_000))).toBe(true)
  expect(watch.wasSetBack()).toBe(false)
})

describe.skipIf(!ENGINES.includes('postgres'))('the clock of the database', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld('postgres')
  })
  afterAll(() => world.close())

  test.each([-6 * MINUTE_MS, -5 * MINUTE_MS, 0, 6 * MINUTE_MS])(
    'counts for a process whose own is off by %s ms; it says so, and is not ready',
    async (offsetMs) => {
      const own = { now: () => Date.now() + offsetMs, elapsedMs: () => performance.now() }
      const lines: string[] = []
      const clock = new DatabaseClock(
        world.store,
        own,
        createLogger('error', { write: (line) => void lines.push(line) }),
      )
      await clock.read()
      expect(Math.abs(clock.now() - systemClock.now())).toBeLessThan(5000)
      expect(clock.complaint === undefined).toBe(offsetMs === 0)
      expect(lines).toHaveLength(offsetMs === 0 ? 0 : 1)
      if (offsetMs < 0) expect(clock.complaint).toMatch(/ s behind the database's/)
    },
  )
})
