import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { TasmotaBox } from '@hypocaust/testing/tasmota-box.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { momentNow, systemClock } from '../src/base/clock.ts'
import { Store } from '../src/base/store.ts'

const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
const up = (name: string) => `hypocaust/v1/${ID}/up/${name}`
const down = (name: string) => `hypocaust/v1/${ID}/down/${name}`

const VALVE = 1
const PUMP = 9
const BOILER = 10

/** The valve opens at once, so that a test need not wait for its stroke. */
const DEVICES = `
channels: [{ channel: 1, driver: tasmota, topic: cellar, output: ${VALVE}, actuator: { dead_s: 0, stroke_s: 0 } }]
pump: { driver: tasmota, topic: cellar, output: ${PUMP} }
boiler: { driver: tasmota, topic: cellar, output: ${BOILER}, min_run_s: 600, min_off_s: 600 }
`

describe.skipIf(withoutMosquitto())('pump and boiler on a real broker', () => {
  let devicesBroker: Mosquitto
  let serviceBroker: Mosquitto
  let service: Party
  let cellar: TasmotaBox
  const folders: string[] = []
  const agents: ReturnType<typeof startMain>[] = []

  beforeEach(async () => {
    ;[devicesBroker, serviceBroker] = await Promise.all([startMosquitto(), startMosquitto()])
    service = await Party.join(serviceBroker.url)
    cellar = await TasmotaBox.plugIn(devicesBroker.url, 'cellar')
  })

  afterEach(async () => {
    for (const { child } of agents) child.kill('SIGKILL')
    await Promise.all(agents.splice(0).map(({ exit }) => exit))
    await Promise.all([cellar.unplug(), service.leave()])
    await Promise.all([devicesBroker.stop(), serviceBroker.stop()])
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  const newFolder = (serviceUrl = serviceBroker.url): string => {
    const folder = mkdtempSync(join(tmpdir(), 'outlives-'))
    const identity = `service: { url: "${serviceUrl}", gateway_id: ${ID}, token: hypg_secret }`
    writeFileSync(join(folder, 'gateway.yaml'), `${identity}\ndevices: { url: "${devicesBroker.url}" }\n${DEVICES}`)
    folders.push(folder)
    remember(folder, { on: false, sinceS: 86_400 })
    return folder
  }

  /** What the disk remembers of pump and boiler: since when they have been on or off. */
  const remember = (folder: string, { on, sinceS }: { on: boolean; sinceS: number }) => {
    const store = new Store(join(folder, 'data'), () => {})
    const { bootId, monotonicMs, wallMs } = momentNow(systemClock)
    const since = { bootId, monotonicMs: monotonicMs - sinceS * 1000, wallMs: wallMs - sinceS * 1000 }
    store.open()
    const kept = { on, since, isClockOk: true }
    store.put('sources', { pump: kept, boiler: kept })
    store.put('gateway_id', ID)
    store.close()
  }

  const run = (folder: string) => {
    const agent = startMain(['run'], folder)
    agents.push(agent)
    return agent
  }

  const command = (seq: number, power: number) =>
    service.say(down('power'), {
      epoch: 1,
      seq,
      issued: new Date().toISOString(),
      valid_s: 2700,
      valves: [{ channel: 1, power, window_s: 900 }],
    })

  /** A boiler that has rested long enough, so that it starts at once. */
  const heats = async (folder: string) => {
    const agent = run(folder)
    await service.on(up('heartbeat'))
    service.heard.length = 0
    command(1, 1)
    await cellar.until(() => cellar.isOn(PUMP) && cellar.isOn(BOILER))
    return agent
  }

  test('a broker that restarts stops neither', async () => {
    await heats(newFolder())
    await devicesBroker.restart()
    const before = cellar.commandsOf(BOILER)
    await cellar.until(() => cellar.commandsOf(BOILER) > before)
    command(2, 1)
    await service.on(up('ack'), (text) => JSON.parse(text).seq === 2)
    expect(cellar.switched.filter(({ on }) => !on)).toEqual([])
  })

  test('an agent that is killed and starts again stops neither', async () => {
    const folder = newFolder()
    const { child, exit } = await heats(folder)
    child.kill('SIGKILL')
    await exit
    const before = cellar.commandsOf(BOILER)
    run(folder)
    await cellar.until(() => cellar.commandsOf(BOILER) > before)
    service.heard.length = 0
    command(2, 1)
    await service.on(up('ack'), (text) => JSON.parse(text).seq === 2)
    expect(cellar.switched.filter(({ on }) => !on)).toEqual([])
  })

  /** Resolves with the agent's log line. */
  const logs = (agent: ReturnType<typeof startMain>, words: string) => eventually(() => agent.output().includes(words))

  test('a copy of the running agent stands by: the pump does not chatter', async () => {
    const first = await heats(newFolder())
    const copy = run(newFolder())
    await logs(copy, 'this one stands by')
    await service.on(up('relays'), (text) => JSON.parse(text).other_agent !== undefined)
    const before = cellar.commandsOf(PUMP)
    command(2, 1)
    await devicesBroker.restart()
    await cellar.until(() => cellar.commandsOf(PUMP) > before)
    expect(first.output()).not.toContain('stands by')
    expect(cellar.switched.filter(({ on }) => !on)).toEqual([])
  })

  test('after a replacement with the old box still on, the new box drives: its token lives', async () => {
    await serviceBroker.stop()
    const everybody = { service: 'service', [ID]: 'hypg_secret' }
    serviceBroker = await startMosquitto({ passwords: everybody })
    await service.leave()
    service = await Party.join(serviceBroker.url, { username: 'service', password: 'service' })
    const old = await heats(newFolder())
    serviceBroker.usePasswords({ ...everybody, [ID]: 'hypg_new' })
    const folder = newFolder()
    const file = join(folder, 'gateway.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('hypg_secret', 'hypg_new'))
    service.heard.length = 0
    run(folder)
    await service.on(up('heartbeat'))
    command(2, 1)
    await logs(old, 'this one stands by')
    await service.on(up('relays'), (text) => JSON.parse(text).drives === true)
    const before = cellar.commandsOf(VALVE)
    await cellar.until(() => cellar.commandsOf(VALVE) > before)
    expect(cellar.switched.filter(({ on }) => !on)).toEqual([])
  })

  test('a second agent in the same folder is refused', async () => {
    const folder = newFolder()
    run(folder)
    await service.on(up('heartbeat'))
    const second = run(folder)
    expect(await second.exit).toBe(1)
    expect(second.output()).toContain('another agent runs with the folder')
  })
})
