import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { DnsCodec, type DnsRecord, DnsRecordClass, DnsRecordType } from '@matter/main'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { Announcement } from '../src/doors/announce.ts'
import { startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'

const GROUP = '224.0.0.251'
const PORT = 5353
const TYPE = '_hypocaust._tcp.local'

/** A client on the network that queries for services and gets the answers. */
class Listener {
  readonly #socket: Socket
  readonly heard: DnsRecord[] = []

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', (packet) => {
      const message = DnsCodec.decode(packet)
      if (message) this.heard.push(...message.answers, ...message.additionalRecords)
    })
  }

  static async join(): Promise<Listener> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    socket.bind(PORT)
    await once(socket, 'listening')
    socket.addMembership(GROUP, '127.0.0.1')
    socket.setMulticastInterface('127.0.0.1')
    return new Listener(socket)
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

  leave(): void {
    this.#socket.close()
  }
}

let listener: Listener
beforeEach(async () => {
  listener = await Listener.join()
})
afterEach(() => listener.leave())

test('a query on the network returns the port, the version and whether it is HTTPS, until the service withdraws', async () => {
  const name = `Hypocaust test ${process.pid}`
  const full = `${name}.${TYPE}`
  const announcement = new Announcement({
    address: '127.0.0.1',
    port: 8443,
    isTls: true,
    version: '1.2.3',
    logger: createLogger('silent'),
    name,
  })
  announcement.start()
  await eventually(() => listener.find(full, DnsRecordType.SRV))
  listener.heard.length = 0
  const asking = setInterval(() => listener.ask(), 1000)
  listener.ask()
  await eventually(() => listener.heard.some(({ value }) => value === full))
  clearInterval(asking)
  expect((await eventually(() => listener.find(full, DnsRecordType.SRV))).value).toMatchObject({ port: 8443 })
  const texts = (await eventually(() => listener.find(full, DnsRecordType.TXT))).value as Uint8Array[]
  expect(texts.map((text) => Buffer.from(text).toString())).toEqual(['version=1.2.3', 'path=/v1', 'tls=1'])
  listener.heard.length = 0
  await announcement.stop()
  await eventually(() => listener.heard.some(({ value, ttl }) => value === full && ttl === 0))
})

test('a service that only its own machine can reach is not announced, and says why', async () => {
  const folder = temporaryFolder()
  const settings = readSettings(
    { data: folder.path, port: 0, mqtt_port: 0, log_level: 'silent', announce: true },
    {},
    '/none/hypocaust.yaml',
  )
  await expect(startService(settings)).rejects.toThrow('Listen on all addresses with --host 0.0.0.0')
  folder.remove()
})
