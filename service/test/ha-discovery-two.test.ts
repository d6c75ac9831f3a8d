import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { type Heard, Party } from '@hypocaust/testing/party.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { installationOf } from '../src/doors/installation.ts'
import { HomeAssistantDiscovery } from '../src/doors/mqtt/ha-discovery.ts'

const CONFIGS = 'homeassistant/device/+/config'
const STATUSES = 'hypocaust/ha/+/status'

describe.skipIf(withoutMosquitto())('two services on one broker', () => {
  let mosquitto: Mosquitto
  const worlds: World[] = []
  const discoveries: HomeAssistantDiscovery[] = []
  const log: string[] = []

  const discoveryOf = async (world: World) =>
    new HomeAssistantDiscovery({
      store: world.store,
      clock: world.clock,
      logger: createLogger('warn', { write: (line) => void log.push(line) }),
      availability: { silentAfterS: 300 },
      url: mosquitto.url,
      installation: await installationOf(world.store),
      version: '0.0.0',
      onBuildingChanged: () => {},
      everyMs: 20,
    })

  beforeAll(async () => {
    mosquitto = await startMosquitto()
    for (let i = 0; i < 2; i++) {
      const world = await openWorld('sqlite')
      worlds.push(world)
      const discovery = await discoveryOf(world)
      discoveries.push(discovery)
      discovery.start()
      const witness = await Party.join(mosquitto.url, {}, [CONFIGS])
      await witness.until((heard) => everyDeviceIn(heard, world) || undefined)
      await witness.leave()
    }
  })
  afterAll(async () => {
    for (const discovery of discoveries) await discovery.stop()
    await mosquitto.stop()
    for (const world of worlds) await world.close()
  })

  const idsOf = ({ holder }: World) => [holder.buildingId, ...holder.roomIds].map((id) => `hypocaust_${id}`)
  const devicesIn = (heard: Heard[]) =>
    heard.filter(({ text }) => text !== '').flatMap(({ text }) => JSON.parse(text).device?.identifiers ?? [])
  const everyDeviceIn = (heard: Heard[], world: World) => idsOf(world).every((id) => devicesIn(heard).includes(id))

  test('the devices of both stay, also when both publish everything again', async () => {
    const witness = await Party.join(mosquitto.url, {}, [CONFIGS])
    witness.say('homeassistant/status', 'online')
    const again = (world: World) => (heard: Heard[]) =>
      idsOf(world).every((id) => devicesIn(heard.filter(({ retained }) => !retained)).includes(id)) || undefined
    for (const world of worlds) await witness.until(again(world))
    expect(witness.heard.filter(({ text }) => text === '')).toEqual([])
    await witness.leave()
    const late = await Party.join(mosquitto.url, {}, [CONFIGS])
    await late.until((heard) => worlds.every((world) => everyDeviceIn(heard, world)) || undefined)
    await late.leave()
  })

  test('a command for one is not a mistake to the other', async () => {
    const [first] = worlds
    const witness = await Party.join(mosquitto.url, {}, [CONFIGS, 'hypocaust/ha/#'])
    const config = await witness.until((heard) =>
      heard.find(({ text }) => text.includes(`"hypocaust_${first?.bathroomId}"`) && text.includes('climate')),
    )
    const { climate } = JSON.parse(config.text).components
    witness.say(climate.temperature_command_topic, '23.5')
    await witness.on(climate.temperature_state_topic, (text) => JSON.parse(text).target === 23.5)
    expect(log).toEqual([])
    await witness.leave()
  })

  test('when one ends, the other stays online', async () => {
    const witness = await Party.join(mosquitto.url, {}, [STATUSES])
    const online = (heard: Heard[]) => heard.filter(({ text }) => text === 'online').length === 2 || undefined
    await witness.until(online)
    await discoveries[1]?.stop()
    await witness.until((heard) => heard.find(({ text }) => text === 'offline'))
    const last = new Map(witness.heard.map(({ topic, text }) => [topic, text]))
    expect([...last.values()].sort()).toEqual(['offline', 'online'])
    await witness.leave()
  })
})

describe.skipIf(withoutMosquitto())('after an upgrade from topics without the installation', () => {
  const oldConfig = (id: string) => `homeassistant/device/hypocaust_${id}/config`
  const STRANGERS_ROOM = '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'

  test('a room moves to its new topic as Home Assistant wants it, and rooms of other services stay', async () => {
    const mosquitto = await startMosquitto()
    const world = await openWorld('sqlite')
    const witness = await Party.join(mosquitto.url)
    const old = oldConfig(world.bathroomId)
    for (const id of [world.bathroomId, STRANGERS_ROOM])
      witness.say(oldConfig(id), { device: { identifiers: [`hypocaust_${id}`] } }, true)
    witness.say(`hypocaust/ha/${world.bathroomId}/state`, '{}', true)
    await witness.on(`hypocaust/ha/${world.bathroomId}/state`)
    const discovery = new HomeAssistantDiscovery({
      store: world.store,
      clock: world.clock,
      logger: createLogger('silent'),
      availability: { silentAfterS: 300 },
      url: mosquitto.url,
      installation: await installationOf(world.store),
      version: '0.0.0',
      onBuildingChanged: () => {},
      everyMs: 20,
    })
    discovery.start()
    await witness.on(old, (text) => text === '')
    await witness.on(`hypocaust/ha/${world.bathroomId}/state`, (text) => text === '')
    const texts = witness.heard.filter(({ topic }) => topic === old).map(({ text }) => text)
    expect(texts.slice(1)).toEqual([JSON.stringify({ migrate_discovery: true }), ''])
    const isNew = ({ topic, text }: Heard) => topic !== old && text.includes(`"hypocaust_${world.bathroomId}"`)
    const [moves, empty] = [texts[1], ''].map((text) =>
      witness.heard.findIndex((each) => each.topic === old && each.text === text),
    )
    const last = witness.heard.findLastIndex(isNew)
    expect([moves, last, empty]).toEqual([moves, last, empty].sort((a = 0, b = 0) => a - b))
    expect(witness.heard.some(({ topic, text }) => topic === oldConfig(STRANGERS_ROOM) && text === '')).toBe(false)
    await discovery.stop()
    await witness.leave()
    await mosquitto.stop()
    await world.close()
  })
})
