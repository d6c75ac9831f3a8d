import { upTopic } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { generate, type IPublishPacket, type Packet, parser } from 'mqtt-packet'
import { expect, test } from 'vitest'
import { arePubacks, pubackOf, publishesIn, publishOf, topicOf } from '../src/doors/mqtt/packets.ts'

const ID = '019bb0f4-0002-7000-8000-000000000001'
const TOPIC = upTopic(ID, 'readings')
const TAKEN = [TOPIC, upTopic(ID, 'ack')]

/** What the library reads in the bytes; undefined where it refuses them, or where something is left over. */
function read(bytes: Buffer): Packet[] | undefined {
  const packets: Packet[] = []
  let isRefused = false
  const reading = parser()
  reading.on('packet', (packet) => packets.push(packet))
  reading.on('error', () => {
    isRefused = true
  })
  const left = reading.parse(bytes)
  return isRefused || left > 0 ? undefined : packets
}

const isTaken = (packet: Packet): packet is IPublishPacket =>
  packet.cmd === 'publish' &&
  TAKEN.includes(packet.topic) &&
  packet.qos === 1 &&
  !packet.dup &&
  !packet.retain &&
  packet.messageId !== 0

const publish = fc
  .record({
    cmd: fc.constant('publish' as const),
    topic: fc.constantFrom(...TAKEN, `${TOPIC}x`, upTopic(ID, 'heartbeat'), TOPIC.replace('1', '2')),
    payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    qos: fc.constantFrom(0 as const, 1 as const, 1 as const, 2 as const),
    dup: fc.constantFrom(false, false, true),
    retain: fc.constantFrom(false, false, true),
    messageId: fc.integer({ min: 1, max: 65_535 }),
  })
  .map((packet) => generate(packet))
const puback = fc.integer({ min: 1, max: 65_535 }).map((messageId) => generate({ cmd: 'puback', messageId }))
const some = fc.array(fc.oneof(publish, puback), { minLength: 1, maxLength: 3 }).map((all) => Buffer.concat(all))
/** Whole packets, parts of them, and packets with a byte changed. */
const bytes = fc.oneof(
  some,
  fc.tuple(some, fc.nat(400)).map(([all, length]) => all.subarray(0, length)),
  fc.tuple(some, fc.nat(60), fc.nat(255)).map(([all, at, value]) => {
    const changed = Buffer.from(all)
    changed[at % changed.length] = value
    return changed
  }),
)

test('what is taken past the broker is what the library reads as messages on these topics and confirmations', () => {
  fc.assert(
    fc.property(bytes, (sent) => {
      const found = publishesIn(sent, TAKEN.map(topicOf))
      const packets = read(sent) ?? []
      const areTakeable = packets.every((packet) => packet.cmd === 'puback' || isTaken(packet))
      if (found) expect(areTakeable).toBe(true)
      if (found) expect(packets.filter(isTaken)).toMatchObject(found)
      else if (areTakeable) expect(Buffer.concat(packets.map((packet) => generate(packet)))).not.toEqual(sent)
    }),
    { numRuns: runs(2000) },
  )
})

test('what is taken for confirmations is what the library reads as nothing else', () => {
  fc.assert(
    fc.property(bytes, (sent) => {
      if (!arePubacks(sent)) return
      const packets = sent.length === 0 ? [] : read(sent)
      expect(packets?.map(({ cmd }) => cmd)).toEqual(Array.from({ length: sent.length / 4 }, () => 'puback'))
    }),
    { numRuns: runs(2000) },
  )
})

test('confirmations are as the library writes them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 65_535 }), (messageId) => {
      expect(pubackOf(messageId)).toEqual(generate({ cmd: 'puback', messageId }))
    }),
    { numRuns: runs(100) },
  )
})

test('messages to gateways are as the library writes them', () => {
  const messageIds = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })
  const payloads = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer({ max: 40_000, min: 0 }).map((n) => 'x'.repeat(n)),
  )
  fc.assert(
    fc.property(payloads, messageIds, (payload, messageId) => {
      const packet = { cmd: 'publish' as const, topic: TOPIC, payload, dup: false, retain: false }
      const written =
        messageId === undefined ? { ...packet, qos: 0 as const } : { ...packet, qos: 1 as const, messageId }
      expect(publishOf(TOPIC, payload, messageId)).toEqual(generate(written))
    }),
    { numRuns: runs(200) },
  )
})
