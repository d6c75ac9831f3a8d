import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR_MS, timestampOf } from '@hypocaust/domain'
import { start } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { HomeAssistantDiscovery } from '../src/doors/mqtt/ha-discovery.ts'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { changeRoom } from '../src/house/rooms/manage.ts'

interface Config {
  device: { identifiers: string[]; name: string; via_device?: string }
  origin: { name: string }
  availability: { topic: string }[]
  components: Record<string, Record<string, unknown>>
}

const INSTALLATION = '1f0b5c52-7a3e-4f0e-9f43-6f2f0a6f6a51'
const ROOT = `hypocaust/ha/${INSTALLATION}`
const configTopic = (id: string) => `homeassistant/device/hypocaust_${INSTALLATION}_${id}/config`
const LEFT_OVER = configTopic('019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b')
const STRANGERS = 'homeassistant/device/somebody_else/config'

describe.skipIf(withoutMosquitto())('Home Assistant over a broker', () => {
  let mosquitto: Mosquitto
  let world: World
  let discovery: HomeAssistantDiscovery
  let homeAssistant: Party
  const steered: string[] = []
  const log: string[] = []

  const parts = () => ({
    store: world.store,
    clock: world.clock,
    logger: createLogger('warn', { write: (line) => void log.push(line) }),
    availability: { silentAfterS: 300 },
    url: mosquitto.url,
    installation: INSTALLATION,
    version: '0.0.0',
    onBuildingChanged: (id: string) => void steered.push(id),
    everyMs: 20,
  })

  beforeAll(async () => {
    mosquitto = await startMosquitto()
    world = await openWorld('sqlite')
    const before = await Party.join(mosquitto.url)
    before.say(LEFT_OVER, { device: { name: 'Removed long ago' } }, true)
    before.say(STRANGERS, { device: { name: 'Not ours' } }, true)
    before.say(`${topics().set}/mode`, 'off', true)
    await before.on(`${topics().set}/mode`)
    discovery = new HomeAssistantDiscovery(parts())
    discovery.start()
    await before.on(LEFT_OVER, (text) => text === '')
    await before.leave()
  })
  afterAll(async () => {
    await discovery.stop()
    await mosquitto.stop()
    await world.close()
  })
  beforeEach(async () => {
    homeAssistant = await Party.join(mosquitto.url)
    return () => homeAssistant.leave()
  })

  const topics = () => ({
    state: `${ROOT}/${world.bathroomId}/state`,
    set: `${ROOT}/${world.bathroomId}/set`,
    building: `${ROOT}/${world.holder.buildingId}/state`,
    availability: `${ROOT}/${world.holder.buildingId}/availability`,
  })
  const config = async (id: string): Promise<Config> => JSON.parse((await homeAssistant.on(configTopic(id))).text)
  const stateWith = (part: object) =>
    homeAssistant.on(topics().state, (text) =>
      Object.entries(part).every(([key, value]) => (JSON.parse(text) as Record<string, unknown>)[key] === value),
    )

  test('every room and building is a device in the form Home Assistant wants', async () => {
    const { buildingId, roomIds } = world.holder
    for (const id of [buildingId, ...roomIds]) {
      const { device, origin, components } = await config(id)
      expect(device.identifiers).toEqual([`hypocaust_${id}`])
      expect(device.identifiers[0]).toMatch(/^[a-zA-Z0-9_-]+$/)
      expect(origin.name).toBe('Hypocaust')
      const ids = Object.values(components).map(({ platform, unique_id }) => [typeof platform, unique_id])
      expect(ids.every(([platform, id]) => platform === 'string' && /^[a-zA-Z0-9_-]+$/.test(String(id)))).toBe(true)
      expect(new Set(ids.map(String)).size).toBe(ids.length)
    }
    expect((await config(world.bathroomId)).device.via_device).toBe(`hypocaust_${buildingId}`)
  })

  test('the thermostat lists its modes, and the presets without the one Home Assistant adds', async () => {
    const { climate } = (await config(world.bathroomId)).components
    expect(climate).toMatchObject({
      platform: 'climate',
      name: null,
      modes: ['off', 'heat'],
      preset_modes: ['low', 'medium', 'high'],
      min_temp: 7,
      max_temp: 35,
      temp_step: 0.5,
      precision: 0.1,
    })
  })

  test('states are retained, and follow what is measured', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.4, humidityPct: 47, batteryPct: 81, rssiDbm: -71 })
    await stateWith({ temperature: 21.4, humidity: 47, battery: 81, signal: -71, mode: 'heat', preset: 'none' })
    const late = await Party.join(mosquitto.url, {}, [topics().state])
    const { text, retained } = await late.on(topics().state)
    expect([JSON.parse(text).temperature, retained]).toEqual([21.4, true])
    await late.leave()
  })

  test('alerts are named beside the problem; a low battery is none', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.4, humidityPct: 47, batteryPct: 5, rssiDbm: -71 })
    const { text } = await homeAssistant.on(topics().state, (state) => JSON.parse(state).alerts.includes('battery_low'))
    const { alerts, problem } = JSON.parse(text)
    expect({ problem, low: alerts.filter((kind: string) => kind === 'battery_low') }).toEqual({
      problem: alerts.some(
        (kind: string) => !['battery_low', 'window_open', 'floor_limit', 'mould_risk'].includes(kind),
      ),
      low: ['battery_low'],
    })
    const { components } = await config(world.bathroomId)
    expect(components.problem).toMatchObject({ json_attributes_topic: topics().state })
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.4, humidityPct: 47, batteryPct: 81, rssiDbm: -71 })
  })

  test('a silent building is offline, one that reports is online', async () => {
    const connected = (value: boolean | null) =>
      homeAssistant.on(topics().building, (text) => JSON.parse(text).connected === value)
    await homeAssistant.on(topics().availability, (text) => text === 'offline')
    await connected(null)
    await world.heartbeat(world.holder.gatewayIds[0])
    await homeAssistant.on(topics().availability, (text) => text === 'online')
    await connected(true)
    await homeAssistant.on(`${ROOT}/status`, (text) => text === 'online')
  })

  test.each([
    ['target', '22.5', { target_temperature: 22.5 }, { target: 22.5 }],
    ['target', '22.22222222222222', { target_temperature: 22.2 }, { target: 22.2 }],
    ['mode', 'off', { hvac_mode: 'off' }, { mode: 'off', action: 'off' }],
    ['mode', 'heat', { hvac_mode: 'heat' }, { mode: 'heat' }],
    ['preset', 'medium', { preset_mode: 'medium' }, { preset: 'medium' }],
    ['preset', 'none', { preset_mode: 'none' }, { preset: 'none' }],
  ])('set/%s %s changes the room on /v1, and the state follows', async (what, payload, onV1, inState) => {
    await world.patch({ preset_mode: 'low', target_temperature: 20 })
    await stateWith({ preset: 'low', target: 20 })
    homeAssistant.heard.length = 0
    homeAssistant.say(`${topics().set}/${what}`, payload)
    await stateWith(inState)
    expect(await world.bathroom()).toMatchObject(onV1)
    await eventually(() => steered.at(-1) === world.holder.buildingId)
  })

  describe('at night', () => {
    const scope = () => ({ buildingId: world.holder.buildingId, roomId: world.bathroomId })
    const override = async () => (await world.get(`${world.bathroomPath}/override`)).json
    beforeAll(async () => {
      await world.patch({ target_temperature: 21, hvac_mode: 'heat' })
      await changeRoom(world.store, world.clock, scope(), { night_mode: { from: '08:00', to: '20:00', setback: 3 } })
    })
    afterAll(() => changeRoom(world.store, world.clock, scope(), { night_mode: null, target_temperature: 20 }))

    test('the thermostat shows the setpoint, and what is dialled is heated until the next step', async () => {
      await stateWith({ target: 18, setpoint: 18, base: 21, override_until: null })
      homeAssistant.heard.length = 0
      homeAssistant.say(`${topics().set}/target`, '22.5')
      const until = '2026-01-10T19:00:00.000Z'
      await stateWith({ target: 22.5, base: 21, override_until: until })
      expect(await override()).toEqual({ target_temperature: 22.5, until })
      homeAssistant.say(`${topics().set}/target`, '21')
      await stateWith({ target: 21, override_until: until })
      homeAssistant.say(`${topics().set}/target`, '20')
      await stateWith({ target: 20, base: 21, override_until: until })
      homeAssistant.say(`${topics().set}/end_override`, 'PRESS')
      await stateWith({ target: 18, override_until: null })
    })

    test('a boost ends after an hour; a timed off is off', async () => {
      homeAssistant.heard.length = 0
      homeAssistant.say(`${topics().set}/boost`, 'PRESS')
      const until = timestampOf(world.clock.now() + HOUR_MS)
      await stateWith({ target: 23, mode: 'heat', override_until: until })
      const body = { hvac_mode: 'off', until }
      await world.call('PUT', `${world.bathroomPath}/override`, { key: world.holder.writeKey, body })
      await stateWith({ mode: 'off', action: 'off' })
      homeAssistant.say(`${topics().set}/mode`, 'heat')
      await stateWith({ mode: 'heat', target: 18 })
    })

    test('the number is the base of the programme', async () => {
      homeAssistant.heard.length = 0
      homeAssistant.say(`${topics().set}/base`, '22')
      await stateWith({ base: 22, target: 22 })
      expect(await world.bathroom()).toMatchObject({ target_temperature: 22 })
    })

    test('the switch of the building sets an absence without an end, and ends it', async () => {
      const away = async () => (await world.get(`${world.buildingPath}/away`)).json
      const shown = (value: boolean) => homeAssistant.on(topics().building, (text) => JSON.parse(text).away === value)
      await shown(false)
      const set = `${ROOT}/${world.holder.buildingId}/set/away`
      homeAssistant.say(set, 'True')
      await shown(true)
      expect(await away()).toMatchObject({ until: null, target_temperature: 15 })
      await stateWith({ target: 15 })
      homeAssistant.heard.length = 0
      homeAssistant.say(set, 'False')
      await shown(false)
      expect(await away()).toBeNull()
    })
  })

  test('the thermostat of a room that is cooled is one for cooling, and leaves the target of heating as it is', async () => {
    const { bathroomId: id, store } = world
    const cool = (columns: { cools: 0 | 1; coolingTargetC: number | null; controlPower: number }) =>
      store.db.updateTable('rooms').set(columns).where('id', '=', id).execute()
    await world.patch({ target_temperature: 21, hvac_mode: 'heat' })
    await cool({ cools: 1, coolingTargetC: 25, controlPower: 0.4 })
    await stateWith({ mode: 'cool', action: 'cooling', target: 25, base: 21 })
    const climateWith = (mode: string) =>
      homeAssistant.on(configTopic(id), (text) => JSON.parse(text).components?.climate.modes.includes(mode))
    const { components }: Config = JSON.parse((await climateWith('cool')).text)
    expect(components.climate).toMatchObject({ modes: ['off', 'cool'], min_temp: 18, max_temp: 30 })
    homeAssistant.heard.length = 0
    homeAssistant.say(`${topics().set}/target`, '24')
    await stateWith({ target: 24, base: 21, override_until: null })
    homeAssistant.say(`${topics().set}/target`, '12')
    await stateWith({ target: 18, base: 21 })
    homeAssistant.say(`${topics().set}/mode`, 'off')
    await stateWith({ mode: 'off' })
    homeAssistant.say(`${topics().set}/mode`, 'cool')
    await stateWith({ mode: 'cool', base: 21 })
    await cool({ cools: 0, coolingTargetC: null, controlPower: 0 })
    await stateWith({ mode: 'heat', target: 21 })
  })

  test('the least warmth of a floor is set for its times, and the target is that of the air or of the floor', async () => {
    const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
    const times = [
      { temperature: 24, from: '06:00', to: '08:00' },
      { temperature: 22, from: '20:00', to: '21:00' },
    ]
    await stateWith({ floor_minimum: null, target_of: 'air' })
    await changeRoom(world.store, world.clock, scope, { minimum_floor_temperature: times })
    await stateWith({ floor_minimum: 24 })
    homeAssistant.say(`${topics().set}/floor_minimum`, '40')
    homeAssistant.say(`${topics().set}/floor_minimum`, '25.5')
    await stateWith({ floor_minimum: 25.5 })
    const room = await world.store.db
      .selectFrom('rooms')
      .select('floorTimes')
      .where('id', '=', scope.roomId)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(room.floorTimes ?? '')).toEqual(times.map((each) => ({ ...each, temperature: 25.5 })))
    homeAssistant.say(`${topics().set}/target_of`, 'water')
    homeAssistant.say(`${topics().set}/target_of`, 'floor')
    await stateWith({ target_of: 'floor' })
    const { components } = await config(world.bathroomId)
    expect(components.target_of).toMatchObject({ platform: 'select', options: ['air', 'floor'] })
    await changeRoom(world.store, world.clock, scope, { minimum_floor_temperature: null, target_of: 'air' })
    await stateWith({ floor_minimum: null, target_of: 'air' })
  })

  test('people are reported on a topic each; what is retained or unknown says nothing about the present', async () => {
    const people = async () => (await world.get(`${world.buildingPath}/presence`)).json.people
    const topic = (name: string, id = world.holder.buildingId) => `${ROOT}/${id}/presence/${name}`
    homeAssistant.say(topic('Anna'), 'not_home')
    homeAssistant.say(topic('Phone of Ben'), 'home')
    homeAssistant.say(topic('Cleo'), 'unavailable')
    homeAssistant.say(topic('Dora', world.bathroomId), 'home')
    homeAssistant.say(topic('Last'), 'home')
    await eventually(async () => (await people()).at(-1)?.name === 'Last')
    expect(await people()).toMatchObject([
      { name: 'Anna', home: false },
      { name: 'Phone of Ben', home: true },
      { name: 'Last', home: true },
    ])
  })

  test('rooms of two houses carry the name of theirs, and no entity has a name twice', async () => {
    const { device, components } = await config(world.bathroomId)
    expect(device).toMatchObject({ name: 'Lakeside 12 Bathroom', suggested_area: 'Lakeside 12 Bathroom' })
    expect(components.climate?.default_entity_id).toBe('climate.lakeside_12_bathroom')
    expect(components.window?.default_entity_id).toBe('binary_sensor.lakeside_12_bathroom_window')
  })

  test('what makes no sense changes nothing, and is logged', async () => {
    const before = await world.bathroom()
    const nonsense = [
      ['target', '99'],
      ['target', 'warm'],
      ['target', ''],
      ['mode', 'dry'],
      ['preset', 'eco'],
      ['power', '1'],
    ] as const
    log.length = 0
    for (const [what, payload] of nonsense) homeAssistant.say(`${topics().set}/${what}`, payload)
    homeAssistant.say(`${ROOT}/nowhere/set/mode`, 'off')
    homeAssistant.say(`${topics().set}/target`, '19')
    await stateWith({ target: 19 })
    expect(await world.bathroom()).toEqual({ ...before, target_temperature: 19 })
    expect(log.filter((line) => line.includes('not a command'))).toHaveLength(nonsense.length + 1)
  })

  test('a command that the broker had retained was not obeyed', async () => {
    expect(await world.bathroom()).toMatchObject({ hvac_mode: 'heat' })
  })

  test('when Home Assistant has started, everything is said again', async () => {
    await config(world.bathroomId)
    homeAssistant.heard.length = 0
    homeAssistant.say('homeassistant/status', 'online')
    await config(world.bathroomId)
    await homeAssistant.on(topics().state)
  })

  test('when the broker has come back without its memory, everything is said again', async () => {
    await homeAssistant.leave()
    await mosquitto.restart()
    homeAssistant = await Party.join(mosquitto.url)
    await config(world.bathroomId)
    await homeAssistant.on(topics().state)
    await homeAssistant.on(`${ROOT}/status`, (text) => text === 'online')
  })

  test('a removed room is withdrawn', async () => {
    const [, livingRoom = ''] = world.holder.roomIds
    await config(livingRoom)
    const smaller = { ...HOUSE, rooms: HOUSE.rooms.slice(0, 1) }
    const { accountId } = world.holder
    await applyHouse(world.store, world.clock, smaller, { accountId, overwriteSettings: false, prune: true })
    await homeAssistant.on(configTopic(livingRoom), (text) => text === '')
  })

  test('what a removed room left behind was withdrawn at the start, and what is a stranger’s was not', async () => {
    homeAssistant.say(STRANGERS, { device: { name: 'Not ours' } }, true)
    homeAssistant.say(LEFT_OVER, { device: { name: 'Removed long ago' } }, true)
    await homeAssistant.on(LEFT_OVER, (text) => text === '')
    expect(homeAssistant.heard.filter(({ topic, text }) => topic === STRANGERS && text === '')).toEqual([])
  })

  test('a service that ends says so, and one that is killed is reported by the broker', async () => {
    await discovery.stop()
    await homeAssistant.on(`${ROOT}/status`, (text) => text === 'offline')
    const folder = temporaryFolder()
    writeFileSync(join(folder.path, 'hypocaust.yaml'), `ha_discovery: 1\nmqtt_url: ${mosquitto.url}\nport: 0\n`)
    homeAssistant.heard.length = 0
    const process = await start(folder.path, ['serve', '--log-level', 'warn'])
    const { topic } = await homeAssistant.until((heard) =>
      heard.find(({ topic, text }) => /^hypocaust\/ha\/[\w-]+\/status$/.test(topic) && text === 'online'),
    )
    await process.end('SIGKILL')
    await homeAssistant.on(topic, (text) => text === 'offline')
    folder.remove()
  })
})
