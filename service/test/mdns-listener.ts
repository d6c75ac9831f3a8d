import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { DnsCodec, type DnsRecord, DnsRecordClass, DnsRecordType } from '@matter/main'

const GROUP = '224.0.0.251'
const PORT = 5353
export const TYPE = '_hypocaust._tcp.local'

/** A client on the network that queries for services and gets the answers. */
export class MdnsListener {
  readonly #socket: Socket
  readonly heard: DnsRecord[] = []

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', (packet) => {
      const message = DnsCodec.decode(packet)
      if (message) this.heard.push(...message.answers, ...message.additionalRecords)
    })
  }

  static async join(address = '127.0.0.1'): Promise<MdnsListener> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    socket.bind(PORT)
    await once(socket, 'listening')
    socket.addMembership(GROUP, address)
    socket.setMulticastInterface(address)
    return new MdnsListener(socket)
  }

  ask(): void {
    const query = DnsCodec.encode({
      transactionId: 0,
      messageType: 0,
      queries: [{ name: TYPE, recordType: DnsRecordType.PTR, recordClass: DnsRecordClass.IN, uniCastResponse: false }],
      answers: [],
      authorities: [],
      additionalRecords: [],
    })
    this.#socket.send(query as Uint8Array, PORT, GROUP)
  }

  find(name: string, type: DnsRecordType): DnsRecord | undefined {
    return this.heard.find((record) => record.name === name && record.recordType === type)
  }

  /** IPv4 addresses that were announced. */
  get addresses(): unknown[] {
    return this.heard.filter(({ recordType }) => recordType === DnsRecordType.A).map(({ value }) => value)
  }

  leave(): void {
    this.#socket.close()
  }
}
