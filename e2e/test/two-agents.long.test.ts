import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { TasmotaBox } from '@hypocaust/testing/tasmota-box.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const VALVE = 1
const PUMP = 9

/** The valve opens at once, so that a test need not wait for its stroke. */
const DEVICES = `
channels: [{ channel: 1, driver: tasmota, topic: cellar, output: ${VALVE}, actuator: { dead_s: 0, stroke_s: 0 } }]
pump: { driver: tasmota, topic: cellar, output: ${PUMP} }
`

/** A box of the house: an agent with a device broker of its own, and the relays behind it. */
interface Box {
  broker: Mosquitto
  relays: TasmotaBox
  agent: ReturnType<typeof startMain>
}

describe.skipIf(withoutMosquitto())('two boxes with one token, each with its own device broker', () => {
  let world: MqttWorld
  let token: string
  const boxes: Box[] = []
  const folders: string[] = []

  beforeEach(async () => {
    world = await openMqttWorld()
    token = await world.token()
    await world.world.patch({ manual_power: { enabled: true, power: 1 } })
  })
  afterEach(async () => {
    for (const { agent } of boxes) agent.child.kill('SIGKILL')
    await Promise.all(boxes.map(({ agent }) => agent.exit))
    await Promise.all(boxes.map(({ relays }) => relays.unplug()))
    await Promise.all(boxes.splice(0).map(({ broker }) => broker.stop()))
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
    await world.close()
  })

  const switchOn = async (): Promise<Box> => {
    const broker = await startMosquitto()
    const relays = await TasmotaBox.plugIn(broker.url, 'cellar')
    const folder = mkdtempSync(join(tmpdir(), 'two-agents-'))
    folders.push(folder)
    const identity = `service: { url: "${world.url}", gateway_id: ${world.cellarId}, token: ${token} }`
    writeFileSync(join(folder, 'gateway.yaml'), `${identity}\ndevices: { url: "${broker.url}" }\n${DEVICES}`)
    const box = { broker, relays, agent: startMain(['run'], folder) }
    boxes.push(box)
    return box
  }

  const row = () =>
    world.store.db.selectFrom('gateways').selectAll().where('id', '=', world.cellarId).executeTakeFirstOrThrow()
  const drives = ({ relays }: Box) => relays.until(() => relays.isOn(VALVE))
  const logs = ({ agent }: Box, words: string) =>
    vi.waitUntil(() => agent.output().includes(words), { timeout: 300_000, interval: 50 })

  test('the second stands by and is reported; the first goes on and switches nothing', {
    timeout: 600_000,
  }, async () => {
    const first = await switchOn()
    await drives(first)
    const named = await eventually(async () => (await row()).agentBoot ?? undefined)
    const second = await switchOn()
    await logs(second, 'this one stands by')
    await eventually(async () => (await row()).otherAgent ?? undefined)
    // The first has its session back, and the second does not take it away again for minutes.
    await eventually(async () => (await row()).boot === named && (await row()).state === 'online')
    const before = first.relays.commandsOf(VALVE)
    await world.world.patch({ manual_power: { enabled: true, power: 0.9 } })
    await eventually(async () => (await row()).ackedSeq === (await row()).commandSeq)
    await first.broker.restart()
    await first.relays.until(() => first.relays.commandsOf(VALVE) > before)
    expect(first.agent.output()).not.toContain('stands by')
    expect(first.relays.switched.filter(({ on }) => !on)).toEqual([])
    expect(second.relays.switched.filter(({ on }) => on)).toEqual([])
    expect((await row()).agentBoot).toBe(named)
  })

  test('a box that replaces one that is off drives after a minute', { timeout: 600_000 }, async () => {
    const first = await switchOn()
    await drives(first)
    const named = await eventually(async () => (await row()).agentBoot ?? undefined)
    first.agent.child.kill('SIGKILL')
    await first.agent.exit
    const second = await switchOn()
    await logs(second, 'this one stands by')
    await vi.waitUntil(async () => (await row()).agentBoot !== named, { timeout: 300_000, interval: 200 })
    await drives(second)
    expect((await row()).otherAgent).toBeNull()
  })
})
