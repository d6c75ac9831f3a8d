import { connect, type Socket } from 'node:net'
import type { MqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { generate } from 'mqtt-packet'
import { runUnshared } from '../src/processes/exclusive.ts'

/** Connections to a broker, by a client library or by hand, that end with the test. */
export class Callers {
  readonly #clients: MqttClient[] = []
  readonly #sockets: Socket[] = []

  async connect(url: string, options: IClientOptions): Promise<MqttClient> {
    const client = await connectAsync(url, { protocolVersion: 4, reconnectPeriod: 0, ...options }, false)
    this.#clients.push(client)
    return client
  }

  socket(port: number, localAddress = '127.0.0.1'): Socket {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    this.#sockets.push(socket)
    return socket.on('error', () => {})
  }

  async endAll(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.endAsync(true)))
    for (const socket of this.#sockets.splice(0)) socket.destroy()
  }
}

export const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))

export const ended = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

/** Sent by hand: a client library would refuse to say such things. */
export const handshake = (packet: object) => generate(packet as Parameters<typeof generate>[0])

/** What another broker on the same store needs. */
export const partsOf = ({ store, clock, metrics, logger }: MqttWorld) => ({
  store,
  clock,
  metrics,
  logger,
  alone: runUnshared,
  onReadings: () => {},
})
