import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { ModbusTCPServer } from 'jsmodbus'

/** A Modbus TCP device of another maker's code, whose registers a test sets and reads. */
export class ModbusServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #device: ModbusTCPServer
  readonly port: number
  /** Every write of a register or coil, in the order of their arrival. */
  readonly writes: { address: number; value: number }[] = []

  static async start(port = 0): Promise<ModbusServer> {
    const server = createServer()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return new ModbusServer(server)
  }

  private constructor(server: Server) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
    })
    this.#device = new ModbusTCPServer(server, {
      coils: Buffer.alloc(16),
      discrete: Buffer.alloc(16),
      input: Buffer.alloc(1200),
      holding: Buffer.alloc(1200),
    })
    const note = ({ body }: { body: object }) => {
      if ('address' in body && 'value' in body)
        this.writes.push({ address: Number(body.address), value: Number(body.value) })
    }
    this.#device.on('preWriteSingleRegister', note)
    this.#device.on('preWriteSingleCoil', note)
  }

  input(address: number, value: number): void {
    this.#device.input.writeInt16BE(value, 2 * address)
  }

  hold(address: number, value: number): void {
    this.#device.holding.writeInt16BE(value, 2 * address)
  }

  holding(address: number): number {
    return this.#device.holding.readInt16BE(2 * address)
  }

  coil(address: number): boolean {
    return (((this.#device.coils[address >> 3] ?? 0) >> (address & 7)) & 1) === 1
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
