import type { HouseFile } from '@hypocaust/domain'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { hypocaust } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { LAKESIDE } from '@hypocaust/testing/houses.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sensorIdOf } from '../../gateway/src/base/sensor-id.ts'
import { type Agent, ServedHouse } from './house.ts'

const DEVICES = `
sensors:
  collect_s: 0.2
  every_s: 0
  mqtt: [{ sensor: bath, topic: bath/temperature }, { sensor: hall, topic: hall/temperature }]
channels:
  - { channel: 1, driver: mqtt, set: { topic: bath/set, on: "ON", off: "OFF" }, state: { topic: bath/thermostat, path: action, on: heating } }
  - { channel: 2, driver: mqtt, set: { topic: hall/set, on: "ON", off: "OFF" }, state: { topic: hall/state, on: "ON" } }
`

/** The bath has a thermostat of its own, the hall has none. */
const HOUSE: HouseFile = {
  ...LAKESIDE,
  rooms: ['bath', 'hall'].map((name, i) => ({
    name,
    floor_type: 'screed',
    sensor: sensorIdOf(name),
    valves: [{ gateway: 'cellar', channel: i + 1 }],
    ...(name === 'bath' && { only_watch: true }),
  })),
}

describe.skipIf(withoutMosquitto())('a room with a thermostat of its own, on a real Mosquitto', () => {
  let mosquitto: Mosquitto
  let devices: Party
  let house: ServedHouse
  let agent: Agent

  beforeAll(async () => {
    ;[mosquitto, house] = await Promise.all([startMosquitto(), ServedHouse.build(HOUSE)])
    await house.serve()
    devices = await Party.join(mosquitto.url)
    agent = house.startAgent(mosquitto.url, DEVICES)
  })
  afterAll(async () => {
    agent.child.kill('SIGKILL')
    await devices.leave()
    await Promise.all([mosquitto.stop(), house.remove()])
  })

  const commandsTo = (room: string) => devices.heard.filter(({ topic }) => topic === `${room}/set`)
  const measure = () => {
    devices.say('bath/temperature', '15')
    devices.say('hall/temperature', '15')
  }

  test('no command reaches its valve while it is only watched, also when the agent ends and starts again', async () => {
    await devices.on('hall/set')
    devices.say('bath/thermostat', { action: 'heating' }, true)
    await eventually(async () => {
      measure()
      const rooms: { current_temperature: number | null }[] = await house.get('/rooms')
      return rooms.every(({ current_temperature }) => current_temperature !== null)
    })
    await devices.on('hall/set', (text) => text === 'ON')
    agent.child.kill('SIGTERM')
    await agent.exit
    devices.heard.splice(0, Number.POSITIVE_INFINITY, ...commandsTo('bath'))
    agent = { ...agent, ...startMain(['run'], agent.folder) }
    await devices.on('hall/set')
    expect(commandsTo('bath')).toEqual([])
  })

  test('taken over with the command line, its valve gets commands', async () => {
    const [bath] = house.holder.roomIds
    const { stdout } = await hypocaust(house.folder, ['take-over', 'bath', '--data', 'data'])
    expect(stdout).toContain('bath: heated by Hypocaust from now on')
    await eventually(async () => {
      measure()
      return commandsTo('bath').some(({ text }) => text === 'ON')
    })
    const again = await hypocaust(house.folder, ['take-over', bath ?? '', '--back', '--data', 'data', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ only_watch: true })
  })
})
