import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { createInterface } from 'node:readline'
import { ENV, MAIN } from '@hypocaust/testing/command.ts'
import { type ClientNode, type Endpoint, Environment, Lifecycle, Logger, ServerNode } from '@matter/main'
import { BridgedDeviceBasicInformationClient } from '@matter/main/behaviors/bridged-device-basic-information'
import { PowerSourceClient } from '@matter/main/behaviors/power-source'
import { RelativeHumidityMeasurementClient } from '@matter/main/behaviors/relative-humidity-measurement'
import { ThermostatClient } from '@matter/main/behaviors/thermostat'
import { ControllerBehavior } from '@matter/main/node'
import { PeerSet } from '@matter/main/protocol'

const HOST = '127.0.0.1'

/** Nothing of a test leaves the machine. */
export const loopback = (): string =>
  Object.entries(networkInterfaces()).find(([, addresses]) => addresses?.some(({ internal }) => internal))?.[0] ?? 'lo'

export interface Line {
  port: number
  controllers: number
  manual_code?: string
  qr_payload?: string
}

/** `hypocaust matter` as a process. */
export class BridgeProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #told: Promise<void>
  readonly lines: Line[] = []
  #errors = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#ended = once(child, 'close')
    this.#told = new Promise((resolve) => {
      if (!child.stdout) return
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.lines.push(JSON.parse(line))
        resolve()
      })
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#errors += text
    })
  }

  /** Waits until it has told how things stand. */
  static async start(folder: string, flags: string[]): Promise<BridgeProcess> {
    const args = [MAIN, 'matter', '--data', 'data', '--interface', loopback(), '--json', ...flags]
    const bridge = new BridgeProcess(spawn(process.execPath, args, { cwd: folder, env: ENV }))
    await Promise.race([bridge.#told, bridge.#ended])
    if (bridge.lines.length === 0) throw new Error(`the bridge ended: ${bridge.#errors}`)
    return bridge
  }

  get standing(): Line {
    return this.lines.at(-1) as Line
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null> {
    this.#child.kill(signal)
    await this.#ended
    return this.#child.exitCode ?? this.#child.signalCode
  }
}

/** Somebody's Matter app: the controller of the same library, told the bridge's address in place of looking for it. */
export class TestController {
  readonly #node: ServerNode
  #bridge: ClientNode | undefined

  private constructor(node: ServerNode) {
    this.#node = node
  }

  static async start(folder: string): Promise<TestController> {
    for (const name of Object.keys(Logger.destinations)) delete Logger.destinations[name]
    const environment = Environment.default
    environment.vars.set('storage.path', folder)
    environment.vars.set('runtime.signals', false)
    environment.vars.set('runtime.exitcode', false)
    environment.vars.set('mdns.networkInterface', loopback())
    const type = ServerNode.RootEndpoint.with(ControllerBehavior)
    const node = await ServerNode.create(type, { id: 'controller', environment, network: { port: 0 } })
    await node.start()
    return new TestController(node)
  }

  async pair({ port, manual_code }: Line): Promise<void> {
    const address = { type: 'udp', ip: HOST, port } as const
    const { peers, env } = this.#node
    env.get(PeerSet).added.once(({ descriptor }) => {
      descriptor.operationalAddress = address
    })
    this.#bridge = await peers.forDescriptor({ addresses: [address] })
    await this.#bridge.commission({ pairingCode: String(manual_code) })
  }

  /** The bridge forgets this controller, and the controller the bridge. */
  async unpair(): Promise<void> {
    await this.#bridge?.decommission()
  }

  /** Those that are there: one that comes or goes has no state that could be asked for. */
  get rooms(): Endpoint[] {
    return [...(this.#bridge?.endpoints ?? [])].filter(
      ({ behaviors, construction }) =>
        construction.status === Lifecycle.Status.Active && behaviors.has(ThermostatClient),
    )
  }

  /** As last reported by the bridge. */
  room(name: string): Endpoint | undefined {
    return this.rooms.find((room) => room.stateOf(BridgedDeviceBasicInformationClient).nodeLabel === name)
  }

  thermostat(name: string) {
    return this.room(name)?.stateOf(ThermostatClient)
  }

  humidity(name: string) {
    return this.room(name)?.stateOf(RelativeHumidityMeasurementClient).measuredValue
  }

  battery(name: string) {
    return this.room(name)?.stateOf(PowerSourceClient).batPercentRemaining
  }

  isReachable(name: string) {
    return this.room(name)?.stateOf(BridgedDeviceBasicInformationClient).reachable
  }

  async set(
    name: string,
    values: { occupiedHeatingSetpoint?: number; systemMode?: number; minHeatSetpointLimit?: number },
  ) {
    await this.room(name)?.setStateOf(ThermostatClient, values)
  }

  async choose(name: string, preset: number | null) {
    const presetHandle = preset === null ? null : Uint8Array.of(preset)
    await this.room(name)?.commandsOf(ThermostatClient).setActivePresetRequest({ presetHandle })
  }

  async rename(name: string, nodeLabel: string) {
    await this.room(name)?.setStateOf(BridgedDeviceBasicInformationClient, { nodeLabel })
  }

  /** As after a pause: with multicast it would hear of the bridge's return, without it only tries now and then. */
  async lookAgain(): Promise<void> {
    await this.#bridge?.stop()
    await this.#bridge?.start()
  }

  close(): Promise<void> {
    return this.#node.close()
  }
}
