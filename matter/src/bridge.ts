import './configure.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AddressInUseError,
  causedBy,
  Endpoint,
  Environment,
  ServerNode,
  StorageLockError,
  VendorId,
} from '@matter/main'
import { AggregatorEndpoint } from '@matter/main/endpoints/aggregator'
import { ControllerWrites } from './controller-writes.ts'
import { type MatterLog, routeLogs } from './log.ts'
import { carryWrites, RoomEndpoint } from './room-endpoint.ts'
import { differences, fixedRoomState, labelOf, type RoomState, roomState, shortId } from './room-state.ts'
import type { RoomNow, RoomsSource } from './source.ts'

export interface BridgeParts {
  source: RoomsSource
  building: { id: string; name: string }
  /** Where keys, paired controllers and the numbers of the rooms are kept. */
  folder: string
  /** UDP; 0 takes a free one. */
  port: number
  /** The only network interface on which to be found; all of them unless given. */
  networkInterface?: string
  version: string
  log: MatterLog
  /** How things stand, after every look at the rooms. */
  onLook?(standing: BridgeStanding): Promise<void>
  /** How often to look at the rooms; every second unless given. */
  everyMs?: number
}

export interface BridgeStanding {
  /** The eleven digits to type, and the text of the QR code. They pair the first controller only. */
  manualCode: string
  qrPayload: string
  controllers: number
  port: number
}

/** Set aside for products without a certificate: controllers say that they do not know the maker. */
const VENDOR_ID = VendorId(0xfff1)
const PRODUCT_ID = 0x8000
const LOOK_EVERY_MS = 1000

/** A building as a Matter bridge: every room a thermostat, followed as rooms come, change and go. */
export class MatterBridge {
  readonly #parts: BridgeParts
  readonly #writes: ControllerWrites
  readonly #stopping = new AbortController()
  readonly #aggregator = new Endpoint(AggregatorEndpoint, { id: 'rooms' })
  readonly #rooms = new Map<string, RoomEndpoint>()
  #node: ServerNode | undefined
  /** Once its last controller has left, the node forgets everything and comes back with a new code. */
  #isResetting = false
  #looking: Promise<void> = Promise.resolve()

  constructor(parts: BridgeParts) {
    this.#parts = parts
    this.#writes = new ControllerWrites(parts.source, parts.log)
  }

  async start(): Promise<void> {
    try {
      await this.#start()
    } catch (error) {
      throw this.#whyNotStarted(error as Error)
    }
  }

  async #start(): Promise<void> {
    const { log, folder, networkInterface } = this.#parts
    routeLogs(log)
    const environment = Environment.default
    environment.vars.set('storage.path', folder)
    if (networkInterface !== undefined) environment.vars.set('mdns.networkInterface', networkInterface)
    const node = await ServerNode.create(ServerNode.RootEndpoint, { environment, ...this.#identity() })
    this.#node = node
    node.lifecycle.decommissioned.on(() => {
      this.#isResetting = true
    })
    node.lifecycle.online.on(() => this.#returned())
    await node.add(this.#aggregator)
    await this.#look()
    await node.start()
    this.#looking = this.#keepLooking()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#looking
    await this.#node?.close()
  }

  #whyNotStarted(error: Error): Error {
    const { building, folder, port } = this.#parts
    if (causedBy(error, AddressInUseError))
      return new Error(
        `UDP port ${port} is taken, perhaps by another bridge. Stop that, or choose another with --port.`,
      )
    if (causedBy(error, StorageLockError))
      return new Error(`a bridge of ${building.name} runs already: it has the folder ${folder}`)
    return error
  }

  /** A reset makes the events of every room anew, without anybody who listens. */
  #returned(): void {
    if (!this.#isResetting) return
    for (const room of this.#rooms.values()) carryWrites(room, this.#writes)
    this.#isResetting = false
  }

  #identity() {
    const { building, port, version } = this.#parts
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
    return {
      id: 'bridge',
      network: { port },
      productDescription: {
        name: labelOf(building.name),
        deviceType: AggregatorEndpoint.deviceType,
        vendorId: VENDOR_ID,
        productId: PRODUCT_ID,
      },
      basicInformation: {
        vendorId: VENDOR_ID,
        vendorName: 'Hypocaust',
        productId: PRODUCT_ID,
        productName: 'Floor heating',
        productLabel: 'Floor heating',
        nodeLabel: labelOf(building.name),
        serialNumber: shortId(building.id),
        hardwareVersion: 1,
        hardwareVersionString: '1',
        softwareVersion: major * 1_000_000 + minor * 1000 + patch,
        softwareVersionString: version,
      },
    }
  }

  /** Undefined while the node is about to forget everything: its last controller has left, and its code pairs nobody. */
  #standing(): BridgeStanding | undefined {
    if (!this.#node || this.#isResetting) return undefined
    const { commissioning, network } = this.#node.state
    const controllers = Object.keys(commissioning.fabrics).length
    // The last controller is gone some steps before the node says so.
    if (commissioning.commissioned && controllers === 0) return undefined
    const { manualPairingCode, qrPairingCode } = commissioning.pairingCodes
    return { manualCode: manualPairingCode, qrPayload: qrPairingCode, controllers, port: network.operationalPort }
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        if (!this.#isResetting) await this.#look()
        // Asked after the look: the last controller may have left meanwhile.
        const standing = this.#standing()
        if (standing) await this.#parts.onLook?.(standing)
      } catch (error) {
        this.#parts.log('error', `the rooms could not be followed; trying again: ${(error as Error).message}`)
      }
      await sleep(this.#parts.everyMs ?? LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Again at once if a controller has written meanwhile, since what was read may be older than that. */
  async #look(): Promise<void> {
    let steps: number
    do {
      steps = this.#writes.steps
      const seen = await this.#parts.source.look()
      const rooms = seen?.rooms ?? []
      for (const room of rooms) await this.#show(room, roomState(room, { available: seen?.building.available ?? null }))
      for (const [id, endpoint] of this.#rooms) {
        if (rooms.some((room) => room.id === id)) continue
        this.#rooms.delete(id)
        await endpoint.delete()
      }
    } while (steps !== this.#writes.steps)
  }

  async #show(room: RoomNow, state: RoomState): Promise<void> {
    const known = this.#rooms.get(room.id)
    if (known) {
      const changes = differences(known.state as unknown as RoomState, state)
      if (changes) await known.set(changes)
      // The library ends a preset with each new setpoint.
      const ended = differences(known.state as unknown as RoomState, state)
      if (ended) await known.set(ended)
      return
    }
    const fixed = fixedRoomState(room)
    const endpoint = new Endpoint(RoomEndpoint, {
      id: room.id,
      thermostat: { ...fixed.thermostat, ...state.thermostat },
      relativeHumidityMeasurement: state.relativeHumidityMeasurement,
      powerSource: { ...fixed.powerSource, ...state.powerSource },
      bridgedDeviceBasicInformation: { ...fixed.bridgedDeviceBasicInformation, ...state.bridgedDeviceBasicInformation },
    })
    await this.#aggregator.add(endpoint)
    carryWrites(endpoint, this.#writes)
    this.#rooms.set(room.id, endpoint)
  }
}
