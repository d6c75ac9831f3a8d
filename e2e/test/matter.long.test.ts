import type { HouseFile } from '@hypocaust/domain'
import { applyHouse, openStore, systemClock } from '@hypocaust/service'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServedHouse } from './house.ts'
import { BridgeProcess, TestController } from './matter-parties.ts'

const NAMES = ['Bathroom', 'Bedroom', 'Hall', 'Kitchen', 'Living room', 'Study']
const sensorOf = (index: number) => `a4:c1:38:5e:01:0${index}`
const roomOf = (name: string, index: number): HouseFile['rooms'][number] => ({
  name,
  floor_type: 'screed',
  sensor: sensorOf(index),
  valves: [{ gateway: 'cellar', channel: index + 1 }],
})

const HOUSE: HouseFile = {
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }],
  rooms: NAMES.map(roomOf),
}

const HEAT = 4
const OFF = 0
const COOL = 3
const EMERGENCY_HEAT = 5

describe('a Matter controller and the bridge', { timeout: 180_000 }, () => {
  let house: ServedHouse
  let bridge: BridgeProcess
  let gateway: TestGateway
  let controller: TestController

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  const onV1 = async (name: string): Promise<any> =>
    (await house.get('/rooms')).find((room: { name: string }) => room.name === name)

  const measure = (index: number, temperature: number) =>
    gateway.deliver([{ id: sensorOf(index), temperature, humidity: 47, batt: 80, timestamp: new Date().toISOString() }])

  /** As `hypocaust building apply --prune` does, beside the running service and bridge. */
  const rebuild = async (rooms: HouseFile['rooms']) => {
    const store = await openStore(house.dataFolder)
    const { accountId } = house.holder
    await applyHouse(store, systemClock, { ...HOUSE, rooms }, { accountId, overwriteSettings: false, prune: true })
    await store.close()
  }

  beforeAll(async () => {
    house = await ServedHouse.build(HOUSE)
    await house.serve()
    const { gatewayId: id, token } = house
    gateway = new TestGateway(
      id,
      await Party.join(house.mqttUrl, { clientId: id, username: id, password: token, reconnectPeriod: 0 }, [
        `hypocaust/v1/${id}/down/#`,
      ]),
    )
    gateway.say('heartbeat', { boot: gateway.boot })
    for (const index of NAMES.keys()) await measure(index, 20 + index / 10)
    bridge = await BridgeProcess.start(house.folder, ['--port', '0'])
    controller = await TestController.start(house.folder)
    await controller.pair(bridge.standing)
  }, 240_000)

  afterAll(async () => {
    await controller?.close()
    await bridge?.end('SIGKILL')
    await gateway?.leave()
    await house?.remove()
  })

  test('the controller is paired, and the code is told no more', async () => {
    expect(bridge.lines[0]).toMatchObject({ controllers: 0, qr_payload: expect.stringMatching(/^MT:/) })
    await eventually(() => bridge.standing.controllers === 1)
    expect(bridge.standing).not.toHaveProperty('manual_code')
  })

  test('it reads six rooms', async () => {
    await eventually(() => controller.rooms.length === 6)
    for (const [index, name] of NAMES.entries()) {
      expect(controller.thermostat(name)).toMatchObject({
        localTemperature: 2000 + index * 10,
        occupiedHeatingSetpoint: 2000,
        minHeatSetpointLimit: 700,
        maxHeatSetpointLimit: 3500,
        systemMode: HEAT,
      })
      expect(controller.humidity(name)).toBe(4700)
      expect(controller.battery(name)).toBe(160)
      expect(controller.isReachable(name)).toBe(true)
    }
  })

  test('a setpoint it writes is on /v1', async () => {
    await controller.set('Bathroom', { occupiedHeatingSetpoint: 2350 })
    expect(await onV1('Bathroom')).toMatchObject({ target_temperature: 23.5 })
    expect(await onV1('Bedroom')).toMatchObject({ target_temperature: 20 })
  })

  test('a new reading reaches it by itself, and so does the floor that heats', async () => {
    await measure(0, 18.43)
    await eventually(() => controller.thermostat('Bathroom')?.localTemperature === 1843)
    await eventually(async () => (await onV1('Bathroom')).hvac_action === 'heating')
    await eventually(() => controller.thermostat('Bathroom')?.thermostatRunningState?.heat === true)
  })

  test('off and heat, from the controller and from /v1', async () => {
    await controller.set('Bathroom', { systemMode: OFF })
    expect(await onV1('Bathroom')).toMatchObject({ hvac_mode: 'off' })
    await house.patch((await onV1('Bathroom')).id, { hvac_mode: 'heat', target_temperature: 22 })
    await eventually(() => controller.thermostat('Bathroom')?.systemMode === HEAT)
    await eventually(() => controller.thermostat('Bathroom')?.occupiedHeatingSetpoint === 2200)
  })

  test('presets: a boost for an hour, the target at once, and back to what holds', async () => {
    const BOOST = 2
    const before = await onV1('Living room')
    const overrideOf = async () => house.get(`/rooms/${before.id}/override`)
    expect(controller.thermostat('Living room')?.presets?.map(({ heatingSetpoint }) => heatingSetpoint)).toEqual([
      before.target_temperature * 100,
      before.target_temperature * 100 + 200,
    ])
    const active = () => controller.thermostat('Living room')?.activePresetHandle?.[0]
    await eventually(() => active() === 1)
    await controller.choose('Living room', BOOST)
    expect(await overrideOf()).toMatchObject({ target_temperature: before.target_temperature + 2 })
    await eventually(
      () => controller.thermostat('Living room')?.occupiedHeatingSetpoint === before.target_temperature * 100 + 200,
    )
    await eventually(() => active() === BOOST)
    await controller.choose('Living room', null)
    expect(await overrideOf()).toBeNull()
    await eventually(() => active() === 1)
    await expect(controller.choose('Living room', 3)).rejects.toThrow()
    expect(await overrideOf()).toBeNull()
  })

  test('what a room cannot do is refused, and changes nothing', async () => {
    const before = await onV1('Kitchen')
    for (const values of [
      { occupiedHeatingSetpoint: 3600 },
      { occupiedHeatingSetpoint: 600 },
      { systemMode: COOL },
      { systemMode: EMERGENCY_HEAT },
      { minHeatSetpointLimit: 1000 },
    ])
      await expect(controller.set('Kitchen', values), JSON.stringify(values)).rejects.toThrow()
    await expect(controller.rename('Kitchen', ' ')).rejects.toThrow()
    expect(await onV1('Kitchen')).toEqual(before)
  })

  test('names go both ways', async () => {
    await controller.rename('Study', 'Office')
    expect(await onV1('Office')).toBeDefined()
    await house.patch((await onV1('Office')).id, { name: 'Library' })
    await eventually(() => controller.room('Library'))
  })

  test('rooms that come and go', async () => {
    const numbers = new Map(NAMES.map((name) => [name, controller.room(name)?.number]))
    await rebuild([...HOUSE.rooms.slice(0, 4), roomOf('Sauna', 6)])
    await eventually(() => controller.room('Sauna'))
    await eventually(() => controller.rooms.length === 5)
    expect(controller.room('Living room')).toBeUndefined()
    for (const name of NAMES.slice(0, 4)) expect(controller.room(name)?.number).toBe(numbers.get(name))
    await measure(6, 24.5)
    await eventually(() => controller.thermostat('Sauna')?.localTemperature === 2450)
  })

  test('a bridge that starts again is still paired, with the same rooms under the same numbers', async () => {
    const numbers = controller.rooms.map(({ number }) => number)
    const { port } = bridge.standing
    expect(await bridge.end('SIGTERM')).toBe(0)
    await house.patch((await onV1('Hall')).id, { target_temperature: 17.5 })
    bridge = await BridgeProcess.start(house.folder, ['--port', String(port)])
    expect(bridge.lines).toEqual([{ port, controllers: 1 }])
    await controller.lookAgain()
    await eventually(() => controller.thermostat('Hall')?.occupiedHeatingSetpoint === 1750)
    await eventually(() => controller.rooms.length === numbers.length)
    expect(controller.rooms.map(({ number }) => number)).toEqual(numbers)
    await controller.set('Hall', { occupiedHeatingSetpoint: 1900 })
    expect(await onV1('Hall')).toMatchObject({ target_temperature: 19 })
  })

  test('when its only controller leaves, it can be paired anew', async () => {
    await controller.unpair()
    await eventually(() => bridge.standing.manual_code)
    await controller.pair(bridge.standing)
    await eventually(() => controller.rooms.length === 5)
    await controller.set('Hall', { occupiedHeatingSetpoint: 2100 })
    expect(await onV1('Hall')).toMatchObject({ target_temperature: 21 })
    await measure(2, 18.5)
    await eventually(() => controller.thermostat('Hall')?.localTemperature === 1850)
  })
})
