import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TOPIC_ROOT } from '@hypocaust/domain'
import { openTestStore } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { MOSQUITTO_SERVICE_USER, mosquittoAcl } from '../src/doors/mqtt/mosquitto.ts'
import { shareGroupOf } from '../src/doors/mqtt/share-group.ts'
import { startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'

const MESSAGES = 3000

describe.skipIf(withoutMosquitto())('on a broker outside', () => {
  let mosquitto: Mosquitto
  let world: MqttWorld
  beforeAll(async () => {
    mosquitto = await startMosquitto()
    world = await openMqttWorld({ broker: { kind: 'external', url: mosquitto.url } })
  })
  afterAll(async () => {
    await world.close()
    await mosquitto.stop()
  })

  const gateway = () => world.join(world.cellarId, {})

  test('the service starts, tells its address, and speaks with gateways', async () => {
    expect(world.mqtt.address).toEqual({ port: mosquitto.port, tls: false })
    const cellar = await gateway()
    await cellar.hear('config')
    await cellar.deliver([reading(BATHROOM_SENSOR, 21, world.clock.now())])
    expect((await world.world.bathroom()).current_temperature).toBe(21)
    await world.leaveAll()
  })

  test('messages of a gateway nobody knows are counted, and nothing else', async () => {
    const stranger = await world.join('019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e', {})
    stranger.sendReadings([reading(BATHROOM_SENSOR, 30, world.clock.now())])
    await eventually(async () => (await unknown()) === 1)
    expect((await world.world.bathroom()).current_temperature).toBe(21)
    await world.leaveAll()
  })

  const unknown = () => world.metric('hypocaust_gateway_messages_total', { outcome: 'unknown_gateway' })

  test('while the database is locked messages wait, and afterwards the rest comes by sending again', async () => {
    const cellar = await gateway()
    const lock = new DatabaseSync(join(world.world.test.folder, 'hypocaust.db'), { timeout: 5000 })
    lock.exec('begin immediate')
    const at = world.clock.now() - 1e6
    const send = (n: number) => cellar.sendReadings([reading('ff:01', 20, at - n)], { n })
    for (let n = 0; n < MESSAGES; n++) send(n)
    await eventually(async () => (await world.metric('hypocaust_gateway_messages_waiting')) >= 1000)
    expect(cellar.heard('commit')).toEqual([])
    lock.exec('rollback')
    lock.close()
    // Mosquitto keeps a thousand messages for a subscriber that does not keep up; a gateway repeats what is not committed.
    const missing = new Set(Array.from({ length: MESSAGES }, (_, n) => n))
    let sentAt = Date.now()
    await eventually(() => {
      for (const { n } of cellar.heard('commit')) missing.delete(n)
      if (Date.now() - sentAt > 500) {
        for (const n of [...missing].slice(0, 500)) send(n)
        sentAt = Date.now()
      }
      return missing.size === 0
    })
    expect(await world.history('ff:01')).toHaveLength(MESSAGES)
    await world.leaveAll()
  })

  test('away and back: a change made meanwhile, the configuration and readings all arrive', async () => {
    await mosquitto.kill()
    await world.world.patch({ manual_power: { enabled: true, power: 0.35 } })
    await mosquitto.restart()
    const cellar = await gateway()
    // As every gateway does: whichever of the two was back first, it gets its command.
    cellar.say('status', { state: 'online', boot: cellar.boot, channels: 2 }, true)
    await cellar.hear('config', ({ fallback }) => fallback.power['1'] === 0.35)
    await cellar.hear('power', ({ valves }) => valves[0]?.power === 0.35)
    await eventually(async () => {
      cellar.sendReadings([reading(BATHROOM_SENSOR, 22, world.clock.now())])
      return (await world.world.bathroom()).current_temperature === 22
    })
    await world.leaveAll()
  })

  test('it may be away at the start, and at the end', async () => {
    await mosquitto.kill()
    const late = await openMqttWorld({ broker: { kind: 'external', url: mosquitto.url } })
    await mosquitto.restart()
    const cellar = await late.join(late.cellarId, {})
    await cellar.hear('config')
    await late.leaveAll()
    await mosquitto.kill()
    await late.close()
    await mosquitto.restart()
  })
})

describe.skipIf(withoutMosquitto())('on a broker outside with passwords', () => {
  const service = { name: MOSQUITTO_SERVICE_USER, password: 'right' }
  const THIEF = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
  const passwords = { [service.name]: service.password, [THIEF]: 'token' }
  let mosquitto: Mosquitto
  beforeAll(async () => {
    mosquitto = await startMosquitto({ passwords, acl: mosquittoAcl() })
  })
  afterAll(() => mosquitto.stop())

  const openHere = () => {
    const url = `mqtt://${service.name}:${service.password}@127.0.0.1:${mosquitto.port}`
    return openMqttWorld({ broker: { kind: 'external', url } })
  }

  test('a service that was refused is back by itself once the broker accepts it, and gave the reason once', async () => {
    mosquitto.usePasswords({ [service.name]: 'another' })
    const world = await openHere()
    const refusals = () => world.log.filter((line) => line.includes('Not authorized'))
    await eventually(() => refusals().length > 0)
    expect(world.mqtt.isUp).toBe(false)
    mosquitto.usePasswords(passwords)
    await eventually(() => world.mqtt.isUp)
    expect(refusals()).toHaveLength(1)
    await world.close()
  })

  test('a gateway that subscribes to a share of all messages gets none of them', async () => {
    const thief = await Party.join(
      `mqtt://127.0.0.1:${mosquitto.port}`,
      { clientId: THIEF, username: THIEF, password: 'token' },
      [`$share/hypocaust/${TOPIC_ROOT}/+/up/#`],
    )
    const world = await openHere()
    await eventually(() => world.mqtt.isUp)
    const { cellarId } = world
    const speaker = await Party.join(`mqtt://127.0.0.1:${mosquitto.port}`, {
      username: service.name,
      password: service.password,
    })
    for (let n = 1; n <= 20; n++) {
      const readings = [reading(BATHROOM_SENSOR, 20, world.clock.now() - n * 1000)]
      speaker.say(`${TOPIC_ROOT}/${cellarId}/up/readings`, { boot: 'b', n, backfill: false, readings })
    }
    const commits = () => speaker.heard.filter(({ topic }) => topic === `${TOPIC_ROOT}/${cellarId}/down/commit`)
    await eventually(() => commits().length === 20)
    await Promise.all([thief.leave(), speaker.leave()])
    await world.close()
  })

  test('the share of one installation is not that of another', async () => {
    const worlds = [await openHere(), await openHere()] as const
    const groups = await Promise.all(worlds.map(({ store }) => shareGroupOf(store)))
    expect(new Set(groups).size).toBe(2)
    expect(await shareGroupOf(worlds[0].store)).toBe(groups[0])
    await Promise.all(worlds.map((world) => world.close()))
  })
})

test.skipIf(inject('postgresUrl') === '')(
  'a process of role ingest without its broker is alive and not ready',
  async () => {
    const database = await openTestStore('postgres')
    const env = {
      HYPOCAUST_DATABASE_URL: database.url,
      HYPOCAUST_MQTT_URL: `mqtt://127.0.0.1:${await freePort()}`,
    }
    const flags = { data: database.folder, role: 'ingest', port: 0, log_level: 'silent' }
    const service = await startService(readSettings(flags, env, 'none.yaml'))
    const ready = await fetch(`${service.url}/health/ready`)
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { error: { message: 'The MQTT broker is not connected.' } },
    ])
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200)
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
      'hypocaust_broker_connected{broker="external"} 0',
    )
    await service.stop()
    await database.close()
  },
)
