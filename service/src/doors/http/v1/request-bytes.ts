import { STATUS_CODES } from 'node:http'
import { type Answer, linesOf } from './answer.ts'
import type { Poll } from './known-polls.ts'
import type { RoomChange } from './room-changes.ts'

/** A poll or a change with a few headers is far shorter; anything longer is for Node's parser. */
const MOST_BYTES = 4096
const ID = String.raw`[\dA-Fa-f-]{36}`
/** Only what every parser reads alike: no folded lines, no space before a colon, no control characters. */
const FIELDS = String.raw`HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^\x60|~-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+)\r\n`
const POLL = new RegExp(String.raw`^GET \/v1\/buildings\/(${ID})\/rooms ${FIELDS}$`)
const CHANGE = new RegExp(String.raw`^PATCH (\/v1\/buildings\/(${ID})\/rooms\/(${ID})) ${FIELDS}`)
const LETTER_G = 0x47
const LETTER_P = 0x50
const TAB = 0x09
const SPACE = 0x20
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i

/**
 * What a request is answered by, each once, and what makes it another kind of request, by the length of their names; all
 * others are passed over. A map by name would enter every name that comes into V8's table of strings.
 */
interface Known<Name extends string> {
  byLength: Map<number, (Name | 'connection')[]>
  unusual: readonly string[]
}

const known = <Name extends string>(names: readonly Name[], unusual: readonly string[]): Known<Name> => ({
  byLength: Map.groupBy([...names, 'connection', ...(unusual as Name[])], ({ length }) => length),
  unusual,
})

const UNUSUAL = ['expect', 'transfer-encoding', 'upgrade', 'proxy-connection'] as const
/** A request with one of these headers is more than a poll. */
export const MORE_THAN_A_POLL = [...UNUSUAL, 'content-length'] as const

const OF_POLLS = known(['host', 'x-api-key', 'if-none-match', 'x-request-id'], MORE_THAN_A_POLL)
const OF_CHANGES = known(
  ['host', 'x-api-key', 'x-request-id', 'content-type', 'content-length'],
  [...UNUSUAL, 'if-match'],
)

/** The poll that these bytes are; undefined if they are anything else, more, or less than one. */
export function pollIn(bytes: Buffer): Poll | undefined {
  if (bytes.length > MOST_BYTES || bytes[0] !== LETTER_G) return undefined
  const [, buildingId, lines] = POLL.exec(bytes.toString('latin1')) ?? []
  if (buildingId === undefined || lines === undefined) return undefined
  const headers = fieldsIn(lines, OF_POLLS)
  return headers && { buildingId: buildingId.toLowerCase(), headers }
}

/** The change of a room that these bytes are, with all of its body; undefined for anything else. */
export function changeIn(bytes: Buffer): RoomChange | undefined {
  if (bytes.length > MOST_BYTES || bytes[0] !== LETTER_P) return undefined
  const [head, path, buildingId, roomId, lines] = CHANGE.exec(bytes.toString('latin1')) ?? []
  if (head === undefined || path === undefined || buildingId === undefined || roomId === undefined) return undefined
  const headers = fieldsIn(lines ?? '', OF_CHANGES)
  const body = bytes.subarray(head.length)
  if (!headers || headers['content-length'] !== String(body.length)) return undefined
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return undefined
  return { path, buildingId: buildingId.toLowerCase(), roomId: roomId.toLowerCase(), headers, body }
}

/** Undefined where one that is known is there twice, none says the host, or one is unusual. */
function fieldsIn<Name extends string>(
  lines: string,
  { byLength, unusual }: Known<Name>,
): Partial<Record<Name, string>> | undefined {
  const headers: Partial<Record<string, string>> = {}
  for (let start = 0; start < lines.length; ) {
    const colon = lines.indexOf(':', start)
    const end = lines.indexOf('\r\n', colon)
    const field = nameIn(lines, start, colon, byLength)
    if (field === 'connection') {
      if (valueIn(lines, colon + 1, end).toLowerCase() !== 'keep-alive') return undefined
    } else if (field) {
      if (unusual.includes(field) || headers[field] !== undefined) return undefined
      headers[field] = valueIn(lines, colon + 1, end)
    }
    start = end + 2
  }
  return headers.host === undefined ? undefined : (headers as Partial<Record<Name, string>>)
}

function nameIn<Name extends string>(
  lines: string,
  start: number,
  colon: number,
  byLength: Known<Name>['byLength'],
): Name | 'connection' | undefined {
  const candidates = byLength.get(colon - start)
  if (!candidates) return undefined
  const name = lines.slice(start, colon).toLowerCase()
  return candidates.find((candidate) => candidate === name)
}

/** Without the blanks around it; `trim` would take more than HTTP allows. */
function valueIn(lines: string, start: number, end: number): string {
  const isBlank = (at: number) => lines.charCodeAt(at) === SPACE || lines.charCodeAt(at) === TAB
  let first = start
  let last = end
  while (first < last && isBlank(first)) first++
  while (first < last && isBlank(last - 1)) last--
  return lines.slice(first, last)
}

/** The answer as Node's server would send it on a connection that is kept. */
export function textOf({ status, headers, fixed, text }: Answer, keptS: number): string {
  const ending = `Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keptS}\r\n\r\n`
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${linesOf(headers)}${fixed.lines}${ending}${text}`
}

const date = { second: 0, text: '' }

/** It changes once a second, and making it costs more than the rest of the head. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second) Object.assign(date, { second, text: new Date(second * 1000).toUTCString() })
  return date.text
}
