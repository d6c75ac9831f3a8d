/** Neither repeated nor to be retained. */
const PUBLISH_QOS_0 = 0x30
const PUBLISH_QOS_1 = 0x32
const PUBACK = 0x40
const PUBACK_BYTES = 4
const MOST_LENGTH_BYTES = 4

export interface ReadingsPacket {
  messageId: number
  payload: Buffer
}

/** The message in bytes that are one whole PUBLISH with QoS 1 on this topic; undefined for anything else. */
export function readingsIn(bytes: Buffer, topic: Buffer): ReadingsPacket | undefined {
  if (bytes[0] !== PUBLISH_QOS_1) return undefined
  const topicAt = bodyAt(bytes)
  if (topicAt === undefined) return undefined
  const idAt = topicAt + 2 + topic.length
  if (bytes.length < idAt + 2 || bytes.readUInt16BE(topicAt) !== topic.length) return undefined
  if (bytes.compare(topic, 0, topic.length, topicAt + 2, idAt) !== 0) return undefined
  const messageId = bytes.readUInt16BE(idAt)
  return messageId === 0 ? undefined : { messageId, payload: bytes.subarray(idAt + 2) }
}

/** Where the body begins, if the bytes are one whole packet: the length stands before it, seven bits a byte. */
function bodyAt(bytes: Buffer): number | undefined {
  let length = 0
  for (let i = 1; i <= MOST_LENGTH_BYTES; i++) {
    const byte = bytes[i] ?? 0x80
    length += (byte & 0x7f) << (7 * (i - 1))
    if ((byte & 0x80) === 0) return length === bytes.length - i - 1 ? i + 1 : undefined
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
