import { WINDOW_S } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { HOUSE } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import type { TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { addGateway } from '../src/house/gateways/gateways.ts'
import { RevisionWatch } from '../src/house/revisions.ts'

let world: MqttWorld
let gateway: TestGateway
beforeAll(async () => {
  world = await openMqttWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  gateway = await world.gateway()
  await gateway.hear('config')
})
afterEach(async () => {
  await world.leaveAll()
  await world.world.reset()
  await world.mqtt.commander.update(buildingId())
})

const buildingId = () => world.world.holder.buildingId
const manual = (power: number) => world.world.patch({ manual_power: { enabled: true, power } })
const powers = ({ valves }: { valves: { power: number }[] }) => valves.map(({ power }) => power)
const gatewayRow = (id = world.cellarId) =>
  world.store.db.selectFrom('gateways').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a power command', () => {
  test('follows a change at once, names all channels, and is valid for three windows', async () => {
    await manual(0.25)
    const command = await gateway.hear('power', ({ valves }) => valves[0]?.power === 0.25)
    expect(command).toMatchObject({
      epoch: 1,
      issued: new Date(world.clock.now()).toISOString(),
      valid_s: 3 * WINDOW_S.timber,
      valves: [
        { channel: 1, power: 0.25, window_s: WINDOW_S.screed },
        { channel: 2, power: 0, window_s: WINDOW_S.timber },
      ],
    })
  })

  test('names channels without a room too, closed, once the gateway has reported how many it has', async () => {
    gateway.say('status', { state: 'online', boot: gateway.boot, channels: 4 })
    const command = await gateway.hear('power', ({ valves }) => valves.length === 4)
    expect(command.valves.slice(2)).toEqual([
      { channel: 3, power: 0, window_s: WINDOW_S.dry },
      { channel: 4, power: 0, window_s: WINDOW_S.dry },
    ])
    gateway.say('status', { state: 'online', boot: gateway.boot, channels: 2 })
    await gateway.hear('power', ({ seq, valves }) => seq > command.seq && valves.length === 2)
  })

  test('has a higher number each time', async () => {
    for (const power of [0.1, 0.2, 0.3]) {
      await manual(power)
      await gateway.hear('power', (command) => powers(command)[0] === power)
    }
    const numbers = gateway.heard('power').map(({ seq }) => seq)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  test('keeps rising over an epoch raised after a restored backup', async () => {
    const { db } = world.store
    await db.updateTable('meta').set({ value: '2' }).where('name', '=', 'epoch').execute()
    await manual(0.15)
    expect((await gateway.hear('power', (command) => powers(command)[0] === 0.15)).epoch).toBe(2)
    await db.updateTable('meta').set({ value: '1' }).where('name', '=', 'epoch').execute()
  })

  test('that would say nothing new is not sent within the window, and is repeated after it', async () => {
    await manual(0.4)
    const first = await gateway.hear('power', (command) => powers(command)[0] === 0.4)
    await world.mqtt.commander.update(buildingId())
    world.clock.advance(WINDOW_S.screed * 1000 - 1)
    await world.mqtt.commander.repeatDue()
    world.clock.advance(1)
    await world.mqtt.commander.repeatDue()
    const again = await gateway.hear('power', ({ seq }) => seq > first.seq)
    expect(again).toEqual({ ...first, seq: first.seq + 1, issued: new Date(world.clock.now()).toISOString() })
  })

  test('is never retained: who comes later hears only what is said later', async () => {
    await manual(0.45)
    await gateway.hear('power', (command) => powers(command)[0] === 0.45)
    const late = await world.gateway()
    await late.hear('config')
    await late.deliver([])
    expect(late.heard('power')).toEqual([])
  })

  test('is said at once to a gateway that comes online', async () => {
    await manual(0.5)
    await gateway.hear('power', (command) => powers(command)[0] === 0.5)
    const back = await world.gateway()
    back.say('status', { state: 'online', boot: 'new', channels: 2, config_revision: null }, true)
    expect(powers(await back.hear('power'))).toEqual([0.5, 0])
  })

  test('goes to no gateway without valves, nor to any of another building', async () => {
    const attic = await world.gateway(world.atticId)
    await manual(0.55)
    await gateway.hear('power', (command) => powers(command)[0] === 0.55)
    await attic.deliver([])
    expect(attic.heard('power')).toEqual([])
  })

  test('a burst of changes ends with the last of them', async () => {
    await Promise.all([0.1, 0.2, 0.3, 0.4, 0.5].map((power) => manual(power)))
    await manual(0.65)
    await gateway.hear('power', (command) => powers(command)[0] === 0.65)
    await world.mqtt.commander.update(buildingId())
    expect(powers(gateway.heard('power').at(-1) as never)[0]).toBe(0.65)
  })
})

test('what another gateway asks of the shared heat source goes to its owner as soon as it changes', async () => {
  const added = await addGateway(world.store, world.clock, { buildingId: buildingId(), name: 'upstairs' })
  if (added.kind !== 'added') throw new Error(added.kind)
  const upstairs = await world.gateway(added.id)
  for (const each of [gateway, upstairs]) await world.beat(each)
  gateway.say('source', { lock: null, boiler: true })
  for (const [loops, frost] of [
    [2, false],
    [3, true],
    [0, false],
  ] as const) {
    upstairs.say('source', { lock: null, heat_request: { loops, area_m2: 12, frost } })
    const demand = [{ gateway: added.id, loops, area_m2: 12, frost }]
    expect(await gateway.hear('source', (source) => source.demand?.[0]?.loops === loops)).toMatchObject({ demand })
  }
})

describe('an acknowledgement', () => {
  const acked = async () => {
    const { ackedEpoch, ackedSeq, ackResult } = await gatewayRow()
    return [ackedEpoch, ackedSeq, ackResult]
  }
  const acknowledge = async (...acks: object[]) => {
    for (const ack of acks) gateway.say('ack', ack)
    await gateway.deliver([])
  }

  test('is kept with its result, and an older one does not replace a newer', async () => {
    await acknowledge({ epoch: 1, seq: 10, result: 'accepted' })
    expect(await acked()).toEqual([1, 10, 'accepted'])
    await acknowledge({ epoch: 1, seq: 9, result: 'stale' })
    expect(await acked()).toEqual([1, 10, 'accepted'])
    await acknowledge({ epoch: 1, seq: 11, result: 'rejected', why: 'no channel 3' })
    expect(await acked()).toEqual([1, 11, 'rejected'])
    await acknowledge({ epoch: 2, seq: 1, result: 'expired' }, { epoch: 1, seq: 99, result: 'accepted' })
    expect(await acked()).toEqual([2, 1, 'expired'])
  })

  test('of an unknown form is dropped', async () => {
    const before = await acked()
    await acknowledge({ epoch: 3, seq: 1, result: 'perhaps' }, { epoch: '3', seq: 1, result: 'accepted' }, {})
    expect(await acked()).toEqual(before)
  })
})

describe('the configuration', () => {
  test('is retained for every subscriber, with a fallback for every channel from the first day', async () => {
    const config = await gateway.hear('config')
    expect(config).toMatchObject({ min_open_s: 180, exercise_days: 7, frost_protection: true })
    expect(Object.keys(config.sensors ?? {})).toEqual(['1', '2'])
    expect(config.fallback.after_s).toBe(3 * WINDOW_S.timber)
    expect(Object.keys(config.fallback.power)).toEqual(['1', '2'])
    for (const power of Object.values(config.fallback.power)) {
      expect(power).toBeGreaterThan(0)
      expect(power).toBeLessThanOrEqual(0.5)
    }
    expect(gateway.party.heard.find(({ topic }) => topic.endsWith('/config'))?.retained).toBe(true)
  })

  test('falls back to 0 for a room that is off, and to the manual value under manual power', async () => {
    const learned = (await gateway.hear('config')).fallback.power['1']
    await world.world.patch({ hvac_mode: 'off' })
    const off = await gateway.hear('config', ({ fallback }) => fallback.power['1'] === 0)
    await manual(0.7)
    const held = await gateway.hear('config', ({ fallback }) => fallback.power['1'] === 0.7)
    await world.world.patch({ hvac_mode: 'heat' })
    const back = await gateway.hear(
      'config',
      ({ revision, fallback }) => revision > held.revision && fallback.power['1'] === learned,
    )
    expect([off, held, back].map(({ revision }) => revision)).toEqual([
      off.revision,
      off.revision + 1,
      off.revision + 2,
    ])
  })

  test('keeps its revision while nothing changes', async () => {
    const { revision } = await gateway.hear('config')
    await world.world.patch({ name: 'Bath' })
    await world.mqtt.commander.takeUp()
    await gateway.deliver([])
    expect(gateway.heard('config').map((config) => config.revision)).toEqual(
      gateway.heard('config').map(() => revision),
    )
  })

  test('what the gateway has confirmed is noted from its status', async () => {
    const { revision } = await gateway.hear('config')
    gateway.say('status', {
      state: 'online',
      boot: gateway.boot,
      version: '1.2.0',
      channels: 2,
      config_revision: revision,
    })
    await gateway.deliver([])
    expect(await gatewayRow()).toMatchObject({ confirmedRevision: revision, version: '1.2.0', channels: 2 })
  })
})

describe('a change by another process', () => {
  test('is found, once, and reaches the gateways', async () => {
    const watch = new RevisionWatch(world.store, world.clock)
    await watch.changed()
    const other = await world.world.test.openAgain()
    world.clock.advance(1)
    const [bathroom, livingRoom] = HOUSE.rooms
    if (!bathroom || !livingRoom) throw new Error('the house has two rooms')
    const rooms = [
      bathroom,
      {
        ...livingRoom,
        valves: [
          { gateway: 'cellar', channel: 2 },
          { gateway: 'attic', channel: 5 },
        ],
      },
    ]
    const { accountId } = world.world.holder
    await applyHouse(other, world.clock, { ...HOUSE, rooms }, { accountId, overwriteSettings: false, prune: false })
    await other.close()
    const attic = await world.gateway(world.atticId)
    const changed = await watch.changed()
    expect(changed).toEqual([buildingId()])
    expect(await watch.changed()).toEqual([])
    for (const id of changed) await world.mqtt.commander.update(id)
    expect((await attic.hear('power')).valves.map(({ channel }) => channel)).toEqual([1, 2, 3, 4, 5])
    await attic.hear('config', ({ fallback }) => Object.keys(fallback.power).join() === '5')
    await world.store.db.deleteFrom('valves').where('gatewayId', '=', world.atticId).execute()
  })

  test('a gateway added beside the running service gets its configuration without a word from it', async () => {
    const watch = new RevisionWatch(world.store, world.clock)
    await watch.changed()
    world.clock.advance(1)
    const added = await addGateway(world.store, world.clock, { buildingId: buildingId(), name: 'garage' })
    if (added.kind !== 'added') throw new Error(added.kind)
    for (const id of await watch.changed()) await world.mqtt.commander.update(id)
    const garage = await world.gateway(added.id)
    expect((await garage.hear('config')).fallback.power).toEqual({})
  })
})

test('what a valve has done is kept, once per window', async () => {
  const start = new Date(world.clock.now() - 900_000).toISOString()
  const report = { channel: 1, seq: 881, start, window_s: 900, open_s: 315, source: 'command' }
  for (const message of [report, report, { ...report, source: 'exercise', seq: null }, { ...report, start: 'then' }])
    gateway.say('window', message)
  const windows = () => world.store.db.selectFrom('valveWindows').selectAll().execute()
  await gateway.deliver([])
  expect(await eventually(windows)).toMatchObject([
    {
      gatewayId: world.cellarId,
      channel: 1,
      startedAt: Date.parse(start),
      windowS: 900,
      openS: 315,
      source: 'command',
    },
    { source: 'exercise' },
  ])
})
