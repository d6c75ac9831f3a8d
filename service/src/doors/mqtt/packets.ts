/** Neither repeated nor to be retained. */
const PUBLISH_QOS_0 = 0x30
const PUBLISH_QOS_1 = 0x32
const PUBACK = 0x40
const PUBACK_BYTES = 4
const MOST_LENGTH_BYTES = 4

export interface Topic {
  name: string
  bytes: Buffer
}

export const topicOf = (name: string): Topic => ({ name, bytes: Buffer.from(name) })

export interface Published {
  topic: string
  messageId: number
  payload: Buffer
}

/** The messages in bytes that are whole PUBLISHes with QoS 1 on these topics and PUBACKs; undefined for anything else. */
export function publishesIn(bytes: Buffer, topics: Topic[]): Published[] | undefined {
  const found: Published[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const extent = extentOf(rest)
    if (!extent) return undefined
    const packet = rest.subarray(0, extent.end)
    const published = publishedIn(packet, extent.bodyAt, topics)
    if (published) found.push(published)
    else if (!arePubacks(packet)) return undefined
    rest = rest.subarray(extent.end)
  }
  return found
}

function publishedIn(packet: Buffer, topicAt: number, topics: Topic[]): Published | undefined {
  if (packet[0] !== PUBLISH_QOS_1) return undefined
  const topic = topics.find(({ bytes }) => isTopicAt(packet, topicAt, bytes))
  if (!topic) return undefined
  const idAt = topicAt + 2 + topic.bytes.length
  const messageId = packet.readUInt16BE(idAt)
  return messageId === 0 ? undefined : { topic: topic.name, messageId, payload: packet.subarray(idAt + 2) }
}

/** With a message id after it. */
function isTopicAt(packet: Buffer, at: number, topic: Buffer): boolean {
  const end = at + 2 + topic.length
  if (packet.length < end + 2 || packet.readUInt16BE(at) !== topic.length) return false
  return packet.compare(topic, 0, topic.length, at + 2, end) === 0
}

/** Of the first packet, if all of it is there: its length stands before the body, seven bits a byte. */
function extentOf(bytes: Buffer): { bodyAt: number; end: number } | undefined {
  let length = 0
  for (let i = 1; i <= MOST_LENGTH_BYTES; i++) {
    const byte = bytes[i] ?? 0x80
    length += (byte & 0x7f) << (7 * (i - 1))
    const bodyAt = i + 1
    if ((byte & 0x80) === 0) return bodyAt + length <= bytes.length ? { bodyAt, end: bodyAt + length } : undefined
  }
  return undefined
}

/** Whether the bytes are whole PUBACKs and nothing else. */
export function arePubacks(bytes: Buffer): boolean {
  if (bytes.length % PUBACK_BYTES !== 0) return false
  for (let i = 0; i < bytes.length; i += PUBACK_BYTES) if (bytes[i] !== PUBACK || bytes[i + 1] !== 2) return false
  return true
}

export function pubackOf(messageId: number): Buffer {
  const bytes = Buffer.allocUnsafe(PUBACK_BYTES)
  bytes[0] = PUBACK
  bytes[1] = 2
  bytes.writeUInt16BE(messageId, 2)
  return bytes
}

/** A PUBLISH with QoS 1, or with QoS 0 if there is no message id. */
export function publishOf(topic: string, payload: string, messageId: number | undefined): Buffer {
  const topicBytes = Buffer.byteLength(topic)
  const idBytes = messageId === undefined ? 0 : 2
  const length = 2 + topicBytes + idBytes + Buffer.byteLength(payload)
  const lengthBytes = lengthBytesOf(length)
  const bytes = Buffer.allocUnsafe(1 + lengthBytes.length + length)
  bytes[0] = messageId === undefined ? PUBLISH_QOS_0 : PUBLISH_QOS_1
  bytes.set(lengthBytes, 1)
  let at = bytes.writeUInt16BE(topicBytes, 1 + lengthBytes.length)
  at += bytes.write(topic, at)
  if (messageId !== undefined) at = bytes.writeUInt16BE(messageId, at)
  bytes.write(payload, at)
  return bytes
}

function lengthBytesOf(length: number): number[] {
  return length < 128 ? [length] : [(length & 0x7f) | 0x80, ...lengthBytesOf(length >>> 7)]
}
