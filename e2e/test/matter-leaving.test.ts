import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BridgeStanding, MatterBridge } from '@hypocaust/matter'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestController } from './matter-parties.ts'

/** The rooms of a building whose answer can be held back. */
class SlowRooms {
  #gate: Promise<void> = Promise.resolve()
  #held = 0

  async look() {
    this.#held += 1
    await this.#gate
    return { building: { name: 'Lakeside 12', available: true }, rooms: [] }
  }

  patch = async () => undefined

  /** Resolves once a look is under way that ends when the function it gives is called. */
  async hold(): Promise<() => void> {
    let release = () => {}
    this.#gate = new Promise((resolve) => {
      release = resolve
    })
    const before = this.#held
    await eventually(() => this.#held > before)
    return release
  }
}

const rooms = new SlowRooms()
const standings: BridgeStanding[] = []
let onReset = () => {}
let folder: string
let bridge: MatterBridge
let controller: TestController

beforeAll(async () => {
  // In this order: ours configures the library, which must not have been loaded before.
  const matter = await import('@hypocaust/matter')
  const { LogDestination, LogFormat, Logger, LogLevel } = await import('@matter/main')
  const parties = await import('./matter-parties.ts')
  folder = await mkdtemp(join(tmpdir(), 'matter-leaving-'))
  bridge = new matter.MatterBridge({
    source: rooms,
    building: { id: '7e0a7f7e-6f6f-4c55-9a5b-0d5f5e6f0a01', name: 'Lakeside 12' },
    folder: join(folder, 'bridge'),
    port: 0,
    networkInterface: parties.loopback(),
    version: '1.2.3',
    log: () => {},
    onLook: async (standing) => {
      standings.push(standing)
    },
    everyMs: 50,
  })
  await bridge.start()
  controller = await parties.TestController.start(folder)
  Logger.destinations.reset = LogDestination({
    name: 'reset',
    level: LogLevel.INFO,
    add: ({ values }) => {
      if (LogFormat.format(values).includes('resetting to factory defaults')) onReset()
    },
  })
}, 120_000)

afterAll(async () => {
  await controller?.close()
  await bridge?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a look that outlasts the last controller does not show the code that pairs nobody any more', {
  timeout: 120_000,
}, async () => {
  await eventually(() => standings.length > 0)
  const [{ manualCode: firstCode, port }] = standings as [BridgeStanding]
  await controller.pair({ port, manual_code: firstCode, controllers: 0 })
  await eventually(() => standings.at(-1)?.controllers === 1)

  onReset = await rooms.hold()
  standings.length = 0
  await controller.unpair()
  await eventually(() => standings.some(({ manualCode }) => manualCode !== firstCode))
  expect(standings.filter(({ controllers, manualCode }) => controllers === 0 && manualCode === firstCode)).toEqual([])
})
