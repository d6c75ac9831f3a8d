import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { CalendarProblem } from '@hypocaust/domain'
import { acceptsAddress, guardOf, NotPublic, type Reach } from '../../base/public-address.ts'

/** What a server said of a calendar the last time. */
export interface Known {
  etag: string | null
  lastModified: string | null
}

export type Fetched =
  | ({ kind: 'content'; text: string } & Known)
  | { kind: 'unchanged' }
  | { kind: 'problem'; problem: CalendarProblem }

/** Where calendars may be fetched from. */
export interface CalendarNetwork {
  accepts(address: string): boolean
  get(address: string, known: Known, stopping?: AbortSignal): Promise<Fetched>
}

interface Bounds {
  timeoutMs: number
  mostBytes: number
}

const BOUNDS: Bounds = { timeoutMs: 15_000, mostBytes: 5_000_000 }
const MOST_REDIRECTS = 3
/** A header that would be sent back is stored. */
const MOST_HEADER = 500

/** As `webhookNetwork`; a redirect is followed only to where an address may lead. */
export function calendarNetwork(reach: Reach, bounds = BOUNDS): CalendarNetwork {
  const accepts = (address: string) => acceptsAddress(address, reach)
  return {
    accepts,
    get: async (address, known, stopping) => {
      const timeout = AbortSignal.timeout(bounds.timeoutMs)
      const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout
      try {
        return await follow(address, { reach, known, signal, mostBytes: bounds.mostBytes })
      } catch (error) {
        return { kind: 'problem', problem: timeout.aborted ? 'timeout' : problemOf(error) }
      }
    },
  }
}

/** Calendar programs name addresses by a scheme of their own. What no address can have is percent-encoded. */
export function httpAddress(address: string): string {
  const plain = address.replace(/^webcal(s?):\/\//, 'https://')
  return URL.parse(plain)?.href ?? plain
}

interface Get {
  reach: Reach
  known: Known
  signal: AbortSignal
  mostBytes: number
}

async function follow(address: string, get: Get, redirects = 0): Promise<Fetched> {
  if (!acceptsAddress(address, get.reach)) return { kind: 'problem', problem: 'address_not_allowed' }
  const answer = await answerOf(address, get)
  const { statusCode: status = 0, headers } = answer
  try {
    if (status === 304) return { kind: 'unchanged' }
    if (status === 200) {
      const text = await textOf(answer, get.mostBytes)
      return { kind: 'content', text, etag: kept(headers.etag), lastModified: kept(headers['last-modified']) }
    }
    const isRedirect = [301, 302, 303, 307, 308].includes(status)
    if (!isRedirect || headers.location === undefined) return { kind: 'problem', problem: problemOfStatus(status) }
    if (redirects === MOST_REDIRECTS) return { kind: 'problem', problem: 'too_many_redirects' }
    const next = URL.parse(headers.location, address)
    return next ? await follow(next.href, get, redirects + 1) : { kind: 'problem', problem: 'refused' }
  } finally {
    answer.destroy()
  }
}

function answerOf(address: string, { reach, known, signal }: Get): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request: typeof httpRequest = address.startsWith('https:') ? httpsRequest : httpRequest
  const headers = {
    accept: 'text/calendar',
    'user-agent': 'hypocaust',
    ...(known.etag !== null && { 'if-none-match': known.etag }),
    ...(known.lastModified !== null && { 'if-modified-since': known.lastModified }),
  }
  const sent: ClientRequest = request(address, { headers, signal, agent: false, ...guardOf(reach) }, resolve)
  sent.on('error', reject)
  sent.on('close', () => reject(new Error('the connection ended without an answer')))
  sent.end()
  return promise
}

class TooLarge extends Error {}

/** Not asked for compressed, so nothing small becomes large here. */
async function textOf(answer: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const kept = (header: string | undefined): string | null =>
  header !== undefined && header.length <= MOST_HEADER ? header : null

function problemOfStatus(status: number): CalendarProblem {
  if (status === 404 || status === 410) return 'not_found'
  return status === 401 || status === 403 ? 'not_permitted' : 'refused'
}

function problemOf(error: unknown): CalendarProblem {
  if (error instanceof TooLarge) return 'too_large'
  return error instanceof NotPublic ? 'address_not_allowed' : 'unreachable'
}
