import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, HOUSE, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { appOn, openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { changeBuilding } from '../src/house/buildings/manage.ts'
import { intakeOf, knownSensors } from '../src/house/readings/intake.ts'
import { intakeStatements } from '../src/house/readings/statements.ts'
import { addRoom, removeRoom } from '../src/house/rooms/manage.ts'
import { roomsOf } from '../src/house/rooms/rooms.ts'
import { roomView } from '../src/house/rooms/view.ts'
import type { Store } from '../src/store/store.ts'

const SENSORS = [BATHROOM_SENSOR, LIVING_ROOM_SENSOR]

type Change =
  | { kind: 'patch'; room: number; patch: object }
  | { kind: 'reading'; sensor: string; temperature: number; agoMs: number; backfill: boolean }
  | { kind: 'control' }
  | { kind: 'house'; overwriteSettings: boolean }
  | { kind: 'room added' }
  | { kind: 'room removed' }
  | { kind: 'building renamed'; name: string }
  | { kind: 'time passes'; ms: number }
  | { kind: 'nothing' }

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('patch' as const),
    room: fc.nat(1),
    patch: fc.oneof(
      fc.record({ target_temperature: fc.integer({ min: 7, max: 35 }) }),
      fc.record({ hvac_mode: fc.constantFrom('heat', 'off') }),
      fc.record({ manual_power: fc.record({ enabled: fc.boolean(), power: fc.constantFrom(0, 0.4, 1) }) }),
      fc.record({ sensor_id: fc.constantFrom(...SENSORS) }),
      fc.record({ name: fc.constantFrom('Bath', 'Kitchen') }),
    ),
  }),
  fc.record({
    kind: fc.constant('reading' as const),
    sensor: fc.constantFrom(...SENSORS),
    temperature: fc.integer({ min: 15, max: 25 }),
    agoMs: fc.constantFrom(0, 1000, 59 * MINUTE_MS, 61 * MINUTE_MS),
    backfill: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('time passes' as const),
    ms: fc.constantFrom(1, MINUTE_MS, 60 * MINUTE_MS, 3_600_001),
  }),
  fc.constant({ kind: 'control' as const }),
  fc.record({ kind: fc.constant('house' as const), overwriteSettings: fc.boolean() }),
  fc.constant({ kind: 'room added' as const }),
  fc.constant({ kind: 'room removed' as const }),
  fc.record({ kind: fc.constant('building renamed' as const), name: fc.constantFrom('Here', 'There') }),
  fc.constant({ kind: 'nothing' as const }),
)

describe.each(ENGINES)('entity tags of the rooms, from two processes on %s', (engine) => {
  let world: World
  let second: { store: Store; app: FastifyInstance }
  let urls: { own: string; second: string }
  let messages = 0
  beforeAll(async () => {
    world = await openWorld(engine)
    const store = await world.test.openAgain()
    second = { store, app: await appOn(store, world.clock) }
    const anywhere = { host: '127.0.0.1', port: 0 }
    urls = { own: await world.app.listen(anywhere), second: await second.app.listen(anywhere) }
  })
  afterAll(async () => {
    await second.app.close()
    await second.store.close()
    await world.close()
  })

  async function make(what: Change, { store, app }: { store: Store; app: FastifyInstance }): Promise<void> {
    const { clock, holder } = world
    const { buildingId, accountId } = holder
    switch (what.kind) {
      case 'patch': {
        const rooms = await roomsOf(store, buildingId)
        const url = `${world.roomsPath}/${rooms[what.room % rooms.length]?.id}`
        const headers = { 'x-api-key': holder.writeKey, 'content-type': 'application/json' }
        await app.inject({ method: 'PATCH', url, headers, payload: JSON.stringify(what.patch) })
        return
      }
      case 'reading': {
        const { sensor, temperature, agoMs, backfill } = what
        const receivedAt = clock.now()
        const reading = { id: sensor, temperature, timestamp: new Date(receivedAt - agoMs).toISOString() }
        const envelope = { boot: 'boot1', n: ++messages, backfill, readings: [reading] }
        const gatewayId = holder.gatewayIds[0] ?? ''
        const stamping = { receivedAt, latestMs: receivedAt, clockOk: true }
        const known = await knownSensors(store, new Set([buildingId]), 100)
        const message = { gatewayId, buildingId, envelope, ...stamping }
        await store.batchEach([{ queries: intakeOf(intakeStatements(store), message, known).queries }])
        return
      }
      case 'control':
        return heatingOf(world, store).control(buildingId)
      case 'house':
        await applyHouse(store, clock, HOUSE, { accountId, overwriteSettings: what.overwriteSettings, prune: false })
        return
      case 'room added': {
        const room = { name: 'Hall', floor_type: 'dry' as const, sensor_id: BATHROOM_SENSOR, valves: [] }
        await addRoom(store, clock, buildingId, room)
        return
      }
      case 'room removed': {
        const last = (await roomsOf(store, buildingId)).at(-1)
        if (last) await removeRoom(store, clock, { buildingId, roomId: last.id })
        return
      }
      case 'building renamed':
        return changeBuilding(store, clock, buildingId, { name: what.name })
      case 'time passes':
        world.clock.advance(what.ms)
    }
  }

  test('an old tag is never answered 304 once anything that is shown has changed', async () => {
    await world.heartbeat(world.holder.gatewayIds[0])
    const shownBy = new Map<string, string>()
    let unchanged = 0
    const poll = async (url: string) => {
      const shown = (await roomsOf(world.store, world.holder.buildingId)).map((row) => roomView(row, world.clock.now()))
      const headers = { 'x-api-key': world.holder.readKey }
      for (const [tag, text] of [...shownBy].slice(-5)) {
        const { status } = await fetch(`${url}${world.roomsPath}`, { headers: { ...headers, 'if-none-match': tag } })
        if (status !== 304) continue
        unchanged++
        expect(JSON.parse(text)).toEqual(shown)
      }
      const answered = await fetch(`${url}${world.roomsPath}`, { headers })
      const body = await answered.text()
      expect(JSON.parse(body)).toEqual(shown)
      const tag = String(answered.headers.get('etag'))
      expect(JSON.parse(shownBy.get(tag) ?? body)).toEqual(shown)
      shownBy.set(tag, body)
    }
    const sequence = fc.array(fc.record({ what: change, bySecond: fc.boolean(), askSecond: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        for (const { what, bySecond, askSecond } of steps) {
          await make(what, bySecond ? second : world)
          await poll(askSecond ? urls.second : urls.own)
        }
      }),
      { numRuns: 25 },
    )
    expect(unchanged).toBeGreaterThan(10)
  })

  test('a revoked key is refused by the very next request, though its rooms are kept as text', async () => {
    const { holder, store, roomsPath } = world
    const ask = async () =>
      (await fetch(`${urls.second}${roomsPath}`, { headers: { 'x-api-key': holder.readKey } })).status
    expect(await ask()).toBe(200)
    expect(await ask()).toBe(200)
    await store.db.updateTable('apiKeys').set({ revokedAt: world.clock.now() }).execute()
    expect(await ask()).toBe(401)
    await store.db.updateTable('apiKeys').set({ revokedAt: null }).execute()
  })
})
