import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { HouseFile } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import {
  allFamiliesSpeak,
  allRelaysOpen,
  CHANNELS,
  SENSORS,
  TEMPERATURES,
} from '@hypocaust/testing/recorded-devices.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, ServedHouse } from './house.ts'

const HOUSE: HouseFile = {
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }],
  rooms: Object.keys(TEMPERATURES).map((sensor, i) => ({
    name: `Room ${i + 1}`,
    floor_type: 'screed',
    sensor,
    valves: i < 4 ? [{ gateway: 'cellar', channel: i + 1 }] : [],
  })),
}

describe.skipIf(withoutMosquitto())('service and agent as processes, devices on a real Mosquitto', () => {
  let mosquitto: Mosquitto
  let devices: Party
  let house: ServedHouse
  let agent: Agent

  beforeAll(async () => {
    ;[mosquitto, house] = await Promise.all([startMosquitto(), ServedHouse.build(HOUSE)])
    await house.serve()
    for (const id of house.holder.roomIds) await house.patch(id, { hvac_mode: 'off' })
    devices = await Party.join(mosquitto.url)
    agent = house.startAgent(mosquitto.url, `${SENSORS}${CHANNELS}`)
    await devices.on('cellar/switch/valve_4/command')
  })
  afterAll(async () => {
    agent.child.kill('SIGKILL')
    await devices.leave()
    await Promise.all([mosquitto.stop(), house.remove()])
  })

  const rooms = () => house.get('/rooms')

  test('the building becomes available', async () => {
    await eventually(async () => (await house.get('')).available === true)
  })

  test('readings of all five sensor families show in their rooms', async () => {
    allFamiliesSpeak(devices)
    const warm = await eventually(async () => {
      const all: { sensor_id: string; current_temperature: number | null }[] = await rooms()
      return all.every(({ current_temperature }) => current_temperature !== null) && all
    })
    expect(Object.fromEntries(warm.map((room) => [room.sensor_id, room.current_temperature]))).toEqual(TEMPERATURES)
  })

  test('switching the rooms from off to full power opens the relays of all four families', async () => {
    expect(devices.heard.filter(({ text }) => /\bON\b|"on":true/.test(text))).toEqual([])
    for (const id of house.holder.roomIds) await house.patch(id, { manual_power: { enabled: true, power: 1 } })
    await allRelaysOpen(devices)
  })

  test('the service knows that its last command was accepted', async () => {
    await eventually(async () => {
      const { command_seq, acked_seq, ack_result } = gatewayRow()
      return command_seq === acked_seq && ack_result === 'accepted'
    })
  })

  test('the agent has heard the commits: nothing waits on its disk', async () => {
    await eventually(() => waiting() === 0)
    agent.child.kill('SIGTERM')
    expect(await agent.exit).toBe(0)
    expect(waiting()).toBe(0)
    await eventually(() => gatewayRow().state === 'offline')
  })

  const waiting = () => {
    // The agent keeps its database to itself, so a copy is read.
    const copy = mkdtempSync(join(tmpdir(), 'hypocaust-gateway-'))
    for (const file of readdirSync(join(agent.folder, 'data')).filter((name) => name.startsWith('gateway.db')))
      cpSync(join(agent.folder, 'data', file), join(copy, file))
    const db = new DatabaseSync(join(copy, 'gateway.db'))
    const row = db.prepare('select count(*) as waiting from message').get()
    db.close()
    rmSync(copy, { recursive: true })
    return row?.waiting
  }

  const gatewayRow = () => {
    const db = new DatabaseSync(join(house.dataFolder, 'hypocaust.db'), { readOnly: true, timeout: 5000 })
    const row = db.prepare('select * from gateways where id = ?').get(house.gatewayId)
    db.close()
    return row ?? {}
  }
})
