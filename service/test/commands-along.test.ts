import { LEARNED } from '@hypocaust/control'
import { downTopic, MINUTE_MS, type PowerCommand, WINDOW_S } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { NO_TRACES } from '../src/base/tracing/tracer.ts'
import { Commander } from '../src/doors/mqtt/commander.ts'
import type { MqttLink } from '../src/doors/mqtt/link.ts'
import { Heating } from '../src/house/heating/heating.ts'
import type { Store } from '../src/store/store.ts'

describe.each(ENGINES)('commands that go along with the powers, on %s', (engine) => {
  let world: World
  let published: { topic: string; payload: string }[]
  let isUp: boolean
  let onPublish: () => Promise<void>

  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
    published = []
    isUp = true
    onPublish = async () => {}
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 15 })
  })

  const link: MqttLink = {
    get isUp() {
      return isUp
    },
    start: async () => {},
    async publish(topic, payload) {
      published.push({ topic, payload })
      await onPublish()
      return true
    },
    stopReceiving: async () => {},
    stop: async () => {},
  }

  const parts = () => ({
    clock: world.clock,
    metrics: createMetrics(),
    tracer: NO_TRACES,
    logger: createLogger('silent'),
  })

  async function control(store: Store = world.store): Promise<void> {
    const commands = new Commander({ store, link, ...parts() })
    const availability = { silentAfterS: 300 }
    const heating = new Heating({ store, ...parts(), availability, commands, onControlled: () => {} })
    await heating.control(world.holder.buildingId)
    // A stop would wait for a second only, which is not enough on a busy machine.
    await commands.settled()
  }

  const gateway = () =>
    world.store.db
      .selectFrom('gateways')
      .innerJoin('valves', 'valves.gatewayId', 'gateways.id')
      .selectAll('gateways')
      .where('valves.roomId', '=', world.bathroomId)
      .executeTakeFirstOrThrow()

  const powersSent = async (): Promise<PowerCommand[]> => {
    const topic = downTopic((await gateway()).id, 'power')
    return published.filter((each) => each.topic === topic).map(({ payload }) => JSON.parse(payload))
  }

  /** Far below the temperature of the room: its valve is to be closed. */
  const letCool = () => world.patch({ target_temperature: 7 })

  test('a room is heated before it is let cool', async () => {
    await control()
    expect((await powersSent())[0]?.valves[0]?.power).toBeGreaterThan(0)
  })

  test('a change is followed and its command numbered in one transaction, before the command is sent', async () => {
    await control()
    await letCool()
    const before = await gateway()
    const transactions: string[] = []
    const counting: Store = {
      ...world.store,
      batch: (...given) => {
        transactions.push('batch')
        return world.store.batch(...given)
      },
      batchEach: (...given) => {
        transactions.push('batchEach')
        return world.store.batchEach(...given)
      },
    }
    let onDisk: unknown
    onPublish = async () => {
      onDisk ??= await world.store.db
        .selectFrom('buildings')
        .innerJoin('rooms', 'rooms.buildingId', 'buildings.id')
        .select(['rooms.controlPower', 'buildings.revisedAt', 'buildings.followedRevision'])
        .where('rooms.id', '=', world.bathroomId)
        .executeTakeFirstOrThrow()
    }
    published = []
    await control(counting)
    expect(transactions).toEqual(['batchEach'])
    const { revisedAt } = onDisk as { revisedAt: number }
    expect(onDisk).toEqual({ controlPower: 0, revisedAt, followedRevision: revisedAt })
    expect(await powersSent()).toMatchObject([{ seq: before.commandSeq + 1, valves: [{ power: 0 }, {}] }])
    expect(await gateway()).toMatchObject({ commandSeq: before.commandSeq + 1 })
  })

  test('a room that was learned to be a radiator gets short windows, whatever its floor was entered as', async () => {
    await control()
    const windowS = async () => (await powersSent()).at(-1)?.valves[0]?.window_s
    expect(await windowS()).toBe(WINDOW_S.screed)
    const states = world.store.db.selectFrom('controlStates').select('state').where('roomId', '=', world.bathroomId)
    const state = JSON.parse((await states.executeTakeFirstOrThrow()).state ?? '{}')
    const learned = LEARNED.map((name) => (name === 'airShare' ? 0.5 : 0))
    await world.store.db
      .updateTable('controlStates')
      .set({ state: JSON.stringify({ ...state, learned }) })
      .where('roomId', '=', world.bathroomId)
      .execute()
    world.clock.advance(MINUTE_MS)
    await control()
    expect(await windowS()).toBe(WINDOW_S.dry)
  })

  test('another process that numbers a command meanwhile does not keep the new powers from the gateway', async () => {
    await control()
    await letCool()
    const { id, commandSeq } = await gateway()
    const outrun: Store = {
      ...world.store,
      async batchEach(batches) {
        await world.store.db.updateTable('gateways').set({ commandSeq: 100 }).where('id', '=', id).execute()
        return world.store.batchEach(batches)
      },
    }
    published = []
    await control(outrun)
    expect(commandSeq).toBeLessThan(100)
    expect(await powersSent()).toMatchObject([{ seq: 101, valves: [{ power: 0 }, {}] }])
  })

  test('a new configuration is sent before the command', async () => {
    await control()
    const { id } = await gateway()
    await world.store.db.updateTable('gateways').set({ config: '{}' }).where('id', '=', id).execute()
    await letCool()
    published = []
    await control()
    const own = published.map(({ topic }) => topic).filter((topic) => topic.includes(id))
    expect(own).toEqual([downTopic(id, 'config'), downTopic(id, 'power')])
  })

  test('another process that numbers a configuration meanwhile does not keep the new one from the gateway', async () => {
    await control()
    await letCool()
    const { id, configRevision } = await gateway()
    const outrun: Store = {
      ...world.store,
      async batchEach(batches) {
        await world.store.db.updateTable('gateways').set({ configRevision: 100 }).where('id', '=', id).execute()
        return world.store.batchEach(batches)
      },
    }
    published = []
    await control(outrun)
    expect(configRevision).toBeLessThan(100)
    const configs = published.filter(({ topic }) => topic === downTopic(id, 'config'))
    expect(configs.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { revision: 101, fallback: { power: { 1: 0 } } },
    ])
    expect(await powersSent()).toMatchObject([{ valves: [{ power: 0 }, {}] }])
  })

  test('without a connection no number is taken, and the command stays due', async () => {
    await control()
    const before = await gateway()
    await letCool()
    isUp = false
    await control()
    expect(await gateway()).toMatchObject({ commandSeq: before.commandSeq, commandDueAt: 0 })
    isUp = true
    published = []
    await new Commander({ store: world.store, link, ...parts() }).repeatDue()
    expect(await powersSent()).toMatchObject([{ seq: before.commandSeq + 1, valves: [{ power: 0 }, {}] }])
  })
})
