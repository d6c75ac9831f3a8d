import utils from 'pg/lib/utils.js'
import type { Column } from './statement-run.ts'

/**
 * The messages of PostgreSQL's protocol that a look-up needs
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html): a type, the length of what follows with
 * itself, and the content.
 */
const HEAD_BYTES = 5
const TYPE_BYTES = 1

const typed = (letter: string): number => letter.charCodeAt(0)

/** Of the messages that the server sends. */
export const RECEIVED = {
  rowDescription: typed('T'),
  dataRow: typed('D'),
  errorResponse: typed('E'),
  readyForQuery: typed('Z'),
} as const

/** Parse and Describe: the server answers with the statement's columns. */
export const preparing = (name: string, sql: string): Buffer =>
  Buffer.concat([message('P', `${name}\0${sql}\0\0\0`), message('D', `S${name}\0`)])

function message(type: string, content: string): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${content}`)
  bytes.writeInt32BE(bytes.length - TYPE_BYTES, TYPE_BYTES)
  return bytes
}

const ALL_ROWS = '\0\0\0\0'
const EXECUTE_AND_SYNC = Buffer.concat([message('E', `\0${ALL_ROWS}`), message('S', '')])
const AS_TEXTS = '\0\0'
const COUNT_BYTES = 2
const NULL_LENGTH = -1

/** Bind, Execute and Sync. */
export function executing(name: string, parameters: readonly unknown[]): Buffer {
  const texts = parameters.map(utils.prepareValue)
  const lengths = texts.map((text) => (text === null ? NULL_LENGTH : Buffer.byteLength(text)))
  const before = `B\0\0\0\0\0${name}\0${AS_TEXTS}`
  const bindBytes = lengths.reduce(
    (sum, length) => sum + 4 + Math.max(0, length),
    before.length + COUNT_BYTES + AS_TEXTS.length,
  )
  const bytes = Buffer.allocUnsafe(bindBytes + EXECUTE_AND_SYNC.length)
  let at = bytes.write(before, 'latin1')
  bytes.writeInt32BE(bindBytes - TYPE_BYTES, TYPE_BYTES)
  at = bytes.writeInt16BE(texts.length, at)
  for (const [i, text] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[i] ?? NULL_LENGTH, at)
    if (typeof text === 'string') at += bytes.write(text, at)
    else if (text) at += text.copy(bytes, at)
  }
  at += bytes.write(AS_TEXTS, at, 'latin1')
  EXECUTE_AND_SYNC.copy(bytes, at)
  return bytes
}

/** Cuts what comes into whole messages. */
export class Messages {
  readonly #take: (type: number, bytes: Buffer, start: number, end: number) => void
  #begun: Buffer | undefined

  /** `take` gets each message's type, and where its content is. */
  constructor(take: (type: number, bytes: Buffer, start: number, end: number) => void) {
    this.#take = take
  }

  add(chunk: Buffer): void {
    const bytes = this.#begun ? Buffer.concat([this.#begun, chunk]) : chunk
    let at = 0
    while (at + HEAD_BYTES <= bytes.length) {
      const end = at + TYPE_BYTES + bytes.readInt32BE(at + TYPE_BYTES)
      if (end > bytes.length) break
      this.#take(bytes[at] as number, bytes, at + HEAD_BYTES, end)
      at = end
    }
    this.#begun = at < bytes.length ? bytes.subarray(at) : undefined
  }
}

/** After a column's name: the table's id and the column's number in it, the id of its type, and three of no use here. */
const TYPE_AFTER_NAME = 6
const COLUMN_AFTER_NAME = 18

/** Of a RowDescription. */
export function columnsIn(bytes: Buffer, start: number): Column[] {
  let at = start + COUNT_BYTES
  return Array.from({ length: bytes.readInt16BE(start) }, () => {
    const nameEnd = bytes.indexOf(0, at)
    const name = bytes.toString('utf8', at, nameEnd)
    const dataTypeID = bytes.readInt32BE(nameEnd + 1 + TYPE_AFTER_NAME)
    at = nameEnd + 1 + COLUMN_AFTER_NAME
    return { name, dataTypeID }
  })
}

/** Of an ErrorResponse, as `pg` gives it. */
export function errorIn(bytes: Buffer, start: number, end: number): Error {
  const fields = bytes.toString('utf8', start, end).split('\0')
  const fieldOf = (type: string) => fields.find((field) => field.startsWith(type))?.slice(1) ?? ''
  return Object.assign(new Error(fieldOf('M')), { code: fieldOf('C') })
}
