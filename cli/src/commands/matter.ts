import { rmSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { BridgeStanding } from '@hypocaust/matter'
import {
  BRIDGE_REPORT_INTERVAL_MS,
  BuildingRooms,
  bridgeStopped,
  createLogger,
  listAllBuildings,
  openStore,
  reportBridge,
  type Store,
  systemClock,
  VERSION,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { Failure, NotFound, UsageFailure } from '../failure.ts'
import { qrText } from '../qr.ts'
import { stopOnSignal } from '../stop-on-signal.ts'

interface MatterFlags {
  building?: string
  port: string
  interface?: string
  reset?: boolean
  json?: boolean
}

/** Controllers that are away cannot be notified of the end; everything worth keeping is on disk already. */
const STOP_LIMIT_MS = 3000

/** The port of Matter; not the one of the service, which may run on the same machine. */
const MATTER_PORT = 5540

export function matterCommand(program: Command): void {
  addSettingFlags(
    program.command('matter').description('show the rooms of a building to Matter controllers, until Ctrl-C'),
    ['data', 'log_level'],
  )
    .option('--building <ID>', 'which building, where there is more than one; see: hypocaust building list')
    .option('--port <PORT>', 'UDP port; 0 takes a free one', String(MATTER_PORT))
    .option('--interface <NAME>', 'be found only on this network interface, for instance eth0')
    .option('--reset', 'forget every controller, and make a new pairing code')
    .option('--json', 'print JSON, one line a change')
    .action(async (flags: MatterFlags, command: Command) => {
      const { data, database_url, log_level, silent_after_s: silentAfterS } = settingsOf(command, ['port'])
      const port = portOf(flags.port)
      refuseUnknownInterface(flags.interface)
      const store = await openStore(data, database_url)
      try {
        const building = await chosenBuilding(store, flags.building)
        const folder = join(data, 'matter', building.id)
        if (flags.reset) rmSync(folder, { recursive: true, force: true })
        const logger = createLogger(log_level)
        const report = new Report(store, building, flags.json === true)
        // Only here: the library is large, and no other command needs it.
        const { MatterBridge } = await import('@hypocaust/matter')
        const bridge = new MatterBridge({
          source: new BuildingRooms(store, systemClock, { silentAfterS }, building.id),
          building,
          folder,
          port,
          ...(flags.interface !== undefined && { networkInterface: flags.interface }),
          version: VERSION,
          log: (level, text) => logger[level](text),
          onLook: (standing) => report.hear(standing),
        })
        await bridge.start()
        stopOnSignal(async () => {
          const limit = new Promise((resolve) => setTimeout(resolve, STOP_LIMIT_MS))
          await Promise.race([bridge.stop(), limit])
          await bridgeStopped(store, building.id)
          await store.close()
        })
      } catch (error) {
        await store.close()
        // The library leaves sockets open that would keep the process alive.
        setTimeout(() => process.exit(), 100).unref()
        throw error
      }
    })
}

interface ChosenBuilding {
  id: string
  name: string
  account: string
}

async function chosenBuilding(store: Store, id: string | undefined): Promise<ChosenBuilding> {
  const buildings = await listAllBuildings(store)
  if (id !== undefined) {
    const found = buildings.find((building) => building.id === id)
    if (found) return found
    throw new NotFound(`there is no building ${id}. See: hypocaust building list`)
  }
  const [only, ...others] = buildings
  if (!only) throw new Failure('there are no buildings yet. Add one on the website, or with: hypocaust building apply')
  if (others.length === 0) return only
  const lines = buildings.map((building) => `  --building ${building.id}  ${building.name}`)
  throw new UsageFailure(`there is more than one building; name one of them:\n${lines.join('\n')}`)
}

function refuseUnknownInterface(name: string | undefined): void {
  const names = Object.keys(networkInterfaces())
  if (name === undefined || names.includes(name)) return
  throw new UsageFailure(`--interface: this machine has no ${name}. It has: ${names.join(', ')}`)
}

/** Writes changes to the database for the website, and to the terminal. */
class Report {
  readonly #store: Store
  readonly #building: ChosenBuilding
  readonly #isJson: boolean
  #last: BridgeStanding | undefined
  #toldAt = 0

  constructor(store: Store, building: ChosenBuilding, isJson: boolean) {
    this.#store = store
    this.#building = building
    this.#isJson = isJson
  }

  async hear(standing: BridgeStanding): Promise<void> {
    const isNews = JSON.stringify(standing) !== JSON.stringify(this.#last)
    if (!isNews && systemClock.now() - this.#toldAt < BRIDGE_REPORT_INTERVAL_MS) return
    await reportBridge(this.#store, systemClock, this.#building.id, standing)
    this.#toldAt = systemClock.now()
    if (!isNews) return
    this.#last = standing
    if (this.#isJson) console.log(JSON.stringify(jsonOf(standing)))
    else console.log(await textOf(this.#building.name, standing))
  }
}

const jsonOf = ({ manualCode, qrPayload, controllers, port }: BridgeStanding) => ({
  port,
  controllers,
  // Once a controller is paired, the code pairs no other.
  ...(controllers === 0 && { manual_code: manualCode, qr_payload: qrPayload }),
})

async function textOf(name: string, { manualCode, qrPayload, controllers, port }: BridgeStanding): Promise<string> {
  if (controllers > 0) {
    const count = controllers === 1 ? 'one controller' : `${controllers} controllers`
    return `${name} is paired with ${count}. Another one is let in by the app of one that is.
The bridge runs on UDP port ${port}; Ctrl-C ends it.`
  }
  const qr = await qrText(qrPayload)
  return `${qr}
Pairing code of ${name}: ${manualCode}
Type it or scan the picture in the app that is to control the rooms.
The bridge runs on UDP port ${port}; Ctrl-C ends it.`
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageFailure(`--port: ${text} is no port; it must be a whole number from 0 to 65535`)
}
