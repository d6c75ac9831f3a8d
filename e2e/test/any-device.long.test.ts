import type { HouseFile } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sensorIdOf } from '../../gateway/src/base/sensor-id.ts'
import { type Agent, ServedHouse } from './house.ts'

/** Two rooms of devices that no code knows: names, topics and paths in gateway.yaml only. */
const DEVICES = `
sensors:
  collect_s: 0.2
  every_s: 0
  mqtt:
    - { sensor: bath, topic: shellyhtg3-1/events/rpc, temperature: 'params["temperature:0"].tC', humidity: 'params["humidity:0"].rh' }
    - { sensor: hall, topic: weather/hall/temp, unit: F }
channels:
  - { channel: 1, driver: mqtt, set: { topic: a/set, on: '{"state":"ON"}', off: OFF }, state: { topic: a, path: state, on: ON }, online: { topic: a/avail, on: online }, auto_off_s: none }
  - { channel: 2, driver: mqtt, set: { topic: vdmot/1/target, percent: true } }
`

const HOUSE: HouseFile = {
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }],
  rooms: ['bath', 'hall'].map((name, i) => ({
    name,
    floor_type: 'screed',
    sensor: sensorIdOf(name),
    valves: [{ gateway: 'cellar', channel: i + 1 }],
  })),
}

describe.skipIf(withoutMosquitto())('a house of generic MQTT devices on a real Mosquitto', () => {
  let mosquitto: Mosquitto
  let devices: Party
  let house: ServedHouse
  let agent: Agent

  beforeAll(async () => {
    ;[mosquitto, house] = await Promise.all([startMosquitto(), ServedHouse.build(HOUSE)])
    await house.serve()
    for (const id of house.holder.roomIds) await house.patch(id, { hvac_mode: 'off' })
    devices = await Party.join(mosquitto.url)
    agent = house.startAgent(mosquitto.url, DEVICES)
    await devices.on('a/set')
  })
  afterAll(async () => {
    agent.child.kill('SIGKILL')
    await devices.leave()
    await Promise.all([mosquitto.stop(), house.remove()])
  })

  test('the sensors show in their rooms, under ids derived from their names', async () => {
    devices.say('shellyhtg3-1/events/rpc', { params: { 'temperature:0': { tC: 19.8 }, 'humidity:0': { rh: 42.2 } } })
    devices.say('weather/hall/temp', '68')
    const rooms = await eventually(async () => {
      const all: { name: string; current_temperature: number | null }[] = await house.get('/rooms')
      return all.every(({ current_temperature }) => current_temperature !== null) && all
    })
    expect(rooms).toMatchObject([
      { name: 'bath', sensor_id: sensorIdOf('bath'), current_temperature: 19.8, current_humidity: 42.2 },
      { name: 'hall', sensor_id: sensorIdOf('hall'), current_temperature: 20 },
    ])
  })

  test('a power of the owner opens the relay and moves the actuator to that position', async () => {
    const [bath = '', hall = ''] = house.holder.roomIds
    await house.patch(bath, { manual_power: { enabled: true, power: 1 } })
    await house.patch(hall, { manual_power: { enabled: true, power: 0.35 } })
    await devices.on('a/set', (text) => text === '{"state":"ON"}')
    await devices.on('vdmot/1/target', (text) => text === '35')
    devices.say('a', { state: 'ON' })
    await house.patch(hall, { manual_power: { enabled: true, power: 0.6 } })
    await devices.on('vdmot/1/target', (text) => text === '60')
  })

  test('switched off, the actuator closes at once; an agent that stops closes the relay, which has no auto-off', async () => {
    devices.heard.length = 0
    await house.patch(house.holder.roomIds[1] ?? '', { hvac_mode: 'off' })
    await devices.on('vdmot/1/target', (text) => text === '0')
    agent.child.kill('SIGTERM')
    expect(await agent.exit).toBe(0)
    await devices.on('a/set', (text) => text === 'OFF')
  })
})
