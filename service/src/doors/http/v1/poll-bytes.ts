import { STATUS_CODES } from 'node:http'
import { type Poll, type PollAnswer, UNUSUAL } from './polls.ts'

/** A poll with a few headers is far shorter; anything longer is for Node's parser. */
const MOST_BYTES = 4096
/** Only what every parser reads alike: no folded lines, no space before a colon, no control characters. */
const REQUEST =
  /^GET \/v1\/buildings\/([\dA-Fa-f-]{36})\/rooms HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+)\r\n$/
const AROUND_VALUE = /^[\t ]+|[\t ]+$/g

/** What a poll is answered by; each may be there once. */
const READ = ['host', 'x-api-key', 'if-none-match', 'x-request-id']
/** With another word than `keep-alive`, the connection is to be treated in another way. */
const CONNECTION = 'connection'

/** The poll that these bytes are; undefined if they are anything else, more, or less than one. */
export function pollIn(bytes: Buffer): Poll | undefined {
  if (bytes.length > MOST_BYTES) return undefined
  const [, buildingId, lines] = REQUEST.exec(bytes.toString('latin1')) ?? []
  if (buildingId === undefined || lines === undefined) return undefined
  const headers: Record<string, string> = {}
  for (let start = 0; start < lines.length; ) {
    const colon = lines.indexOf(':', start)
    const end = lines.indexOf('\r\n', colon)
    const name = lines.slice(start, colon).toLowerCase()
    if (READ.includes(name)) {
      if (headers[name] !== undefined) return undefined
      headers[name] = lines.slice(colon + 1, end).replace(AROUND_VALUE, '')
    } else if (UNUSUAL.includes(name)) return undefined
    else if (name === CONNECTION && !/^[\t ]*keep-alive[\t ]*$/i.test(lines.slice(colon + 1, end))) return undefined
    start = end + 2
  }
  return headers.host === undefined ? undefined : { buildingId: buildingId.toLowerCase(), headers }
}

/** The answer as Node's server would send it on a connection that is kept. */
export function bytesOf({ status, headers, text }: PollAnswer, keptS: number): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  return `${head}Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keptS}\r\n\r\n${text}`
}

const date = { second: 0, text: '' }

/** It changes once a second, and making it costs more than the rest of the head. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second) Object.assign(date, { second, text: new Date(second * 1000).toUTCString() })
  return date.text
}
