import { STATUS_CODES } from 'node:http'
import type { Poll } from './known-polls.ts'
import { linesOf, type PollAnswer, UNUSUAL } from './polls.ts'

/** A poll with a few headers is far shorter; anything longer is for Node's parser. */
const MOST_BYTES = 4096
/** Only what every parser reads alike: no folded lines, no space before a colon, no control characters. */
const REQUEST =
  /^GET \/v1\/buildings\/([\dA-Fa-f-]{36})\/rooms HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+)\r\n$/
const TAB = 0x09
const SPACE = 0x20

type Unusual = (typeof UNUSUAL)[number]
type FieldName = (typeof ANSWERED_BY)[number] | Unusual
type Field = Exclude<FieldName, 'connection' | Unusual>

const isUnusual = (name: FieldName): name is Unusual => (UNUSUAL as readonly string[]).includes(name)

const ANSWERED_BY = ['host', 'x-api-key', 'if-none-match', 'x-request-id', 'connection'] as const

/**
 * What a poll is answered by, each once, and what makes a request more than a poll, by the length of their names; all
 * others are passed over. A map by name would enter every name that comes into V8's table of strings.
 */
const FIELDS = Map.groupBy([...ANSWERED_BY, ...UNUSUAL], ({ length }) => length)

/** The poll that these bytes are; undefined if they are anything else, more, or less than one. */
export function pollIn(bytes: Buffer): Poll | undefined {
  if (bytes.length > MOST_BYTES) return undefined
  const [, buildingId, lines] = REQUEST.exec(bytes.toString('latin1')) ?? []
  if (buildingId === undefined || lines === undefined) return undefined
  const headers: Partial<Record<Field, string>> = {}
  for (let start = 0; start < lines.length; ) {
    const colon = lines.indexOf(':', start)
    const end = lines.indexOf('\r\n', colon)
    const field = fieldIn(lines, start, colon)
    if (field === 'connection') {
      if (valueIn(lines, colon + 1, end).toLowerCase() !== 'keep-alive') return undefined
    } else if (field) {
      if (isUnusual(field) || headers[field] !== undefined) return undefined
      headers[field] = valueIn(lines, colon + 1, end)
    }
    start = end + 2
  }
  return headers.host === undefined ? undefined : { buildingId: buildingId.toLowerCase(), headers }
}

function fieldIn(lines: string, start: number, colon: number): FieldName | undefined {
  const candidates = FIELDS.get(colon - start)
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
export function textOf({ status, headers, fixed, text }: PollAnswer, keptS: number): string {
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
