// A bridge whose last controller leaves, `during-a-look` at the rooms or between many; prints what it showed from then
// on, as JSON.
// A process of its own: the Matter library is configured before it is first loaded, and only once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BridgeStanding, MatterBridge } from '@hypocaust/matter'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { LogDestination, LogFormat, Logger, LogLevel } from '@matter/main'
import { loopback, TestController } from '../test/matter-parties.ts'

/** The rooms of a building whose answer can be held back. */
class SlowRooms {
  #gate: Promise<void> = Promise.resolve()
  #looks = 0

  async look() {
    this.#looks += 1
    await this.#gate
    return { building: { name: 'Lakeside 12', available: true }, rooms: [] }
  }

  dial = async () => undefined
  preset = async () => undefined
  patch = async () => undefined

  /** Resolves once a look is under way that ends when the function it gives is called. */
  async hold(): Promise<() => void> {
    let release = () => {}
    this.#gate = new Promise((resolve) => {
      release = resolve
    })
    const before = this.#looks
    await eventually(() => this.#looks > before)
    return release
  }
}

const rooms = new SlowRooms()
const standings: BridgeStanding[] = []
let onReset = () => {}
const folder = await mkdtemp(join(tmpdir(), 'matter-leaving-'))
const bridge = new MatterBridge({
  source: rooms,
  building: { id: '7e0a7f7e-6f6f-4c55-9a5b-0d5f5e6f0a01', name: 'Lakeside 12' },
  folder: join(folder, 'bridge'),
  port: 0,
  networkInterface: loopback(),
  version: '1.2.3',
  log: () => {},
  onLook: async (standing) => {
    standings.push(standing)
  },
  everyMs: 2,
})
await bridge.start()
const controller = await TestController.start(folder)
Logger.destinations.reset = LogDestination({
  name: 'reset',
  level: LogLevel.INFO,
  add: ({ values }) => {
    if (LogFormat.format(values).includes('resetting to factory defaults')) onReset()
  },
})
await eventually(() => standings.length > 0)
const [{ manualCode: firstCode, port }] = standings as [BridgeStanding]
await controller.pair({ port, manual_code: firstCode, controllers: 0 })
await eventually(() => standings.at(-1)?.controllers === 1)

if (process.argv[2] === 'during-a-look') onReset = await rooms.hold()
standings.length = 0
await controller.unpair()
await eventually(() => standings.some(({ manualCode }) => manualCode !== firstCode))
const shown = standings.map(({ controllers, manualCode }) => ({ controllers, isOldCode: manualCode === firstCode }))
await controller.close()
await bridge.stop()
await rm(folder, { recursive: true, force: true })
process.stdout.write(`${JSON.stringify(shown)}\n`, () => process.exit(0))
