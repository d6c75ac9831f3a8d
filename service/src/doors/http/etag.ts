import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../base/errors.ts'

export interface OnTagged {
  /** The caller has this answer already. */
  notModified(request: FastifyRequest, reply: FastifyReply): void | Promise<void>
  /** A new answer is about to leave; what is returned takes its place. */
  modified(request: FastifyRequest, reply: FastifyReply): string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The first part of the tag, where a change is conditional on less than all that is shown. */
    settingsMark: string | undefined
  }
}

/** Strong, and made from the answer itself: a value can go stale without any write. */
export const tagOf = (payload: string): string => `"${hash('sha256', payload, 'base64url').slice(0, 32)}"`

/** Of what a change can change. A tag that begins with it stands for the same settings, whatever was measured since. */
export const markOf = (settings: unknown): string => hash('sha256', JSON.stringify(settings), 'base64url').slice(0, 16)

const markedTag = (mark: string, payload: string): string => `"${mark}${tagOf(payload).slice(1)}`

const CACHE_CONTROL = 'private, no-cache'

export function tagAnswers(app: FastifyInstance, on: OnTagged): void {
  app.decorateRequest('settingsMark')
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
    const { settingsMark, method, headers } = request
    const tag = knownTag(reply) ?? (settingsMark === undefined ? tagOf(payload) : markedTag(settingsMark, payload))
    const isReading = method === 'GET' || method === 'HEAD'
    const isKnown = isReading && isListed(headers['if-none-match'], tag)
    if (isKnown || (isReading && isAny(headers['if-none-match']))) {
      addTag(reply, tag)
      reply.code(304).removeHeader('content-type').removeHeader('content-length')
      const noted = isKnown ? on.notModified(request, reply) : undefined
      // Without a body, not with an empty one: that has a length, which a 304 must not state. Fastify's own hook for HEAD
      // cannot take null, and states the length of anything but a stream.
      const nothing = method === 'HEAD' ? Readable.from([]) : null
      return noted ? void noted.then(() => done(null, nothing), done) : done(null, nothing)
    }
    const instead = isReading ? on.modified(request, reply) : undefined
    if (instead !== undefined) {
      reply.removeHeader('etag')
      return done(null, instead)
    }
    addTag(reply, tag)
    done(null, payload)
  })
}

/** Of an answer whose revision is known, so that nothing has to be made from its text. */
function knownTag(reply: FastifyReply): string | undefined {
  const tag = reply.getHeader('etag')
  return typeof tag === 'string' ? tag : undefined
}

function addTag(reply: FastifyReply, tag: string): void {
  reply.header('etag', tag)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', CACHE_CONTROL)
}

export function isListed(header: string | undefined, tag: string): boolean {
  if (header === undefined || header === tag) return header === tag
  return header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === tag)
}

/** `*`: a caller that has anything has this too. It says nothing of what the caller has, so it is no free answer. */
export const isAny = (header: string | undefined): boolean => header?.trim() === '*'

/** Whether a change may be made to what has this tag now; a weak tag never matches. */
const meetsIfMatch = (header: string, tag: string): boolean =>
  header.split(',').some((entry) => entry.trim() === '*' || entry.trim() === tag)

/** The same where the tag begins with a mark of the settings. */
export const meetsMark = (header: string, mark: string): boolean =>
  header.split(',').some((entry) => entry.trim() === '*' || entry.trim().startsWith(`"${mark}`))

/** Refuses a change of what the caller has not seen as it is now; null is shown where there is none. */
export function requireTag(
  ifMatch: string,
  shown: object | null,
  serialise: (value: unknown) => string,
  what: string,
): void {
  const text = shown === null ? 'null' : serialise(shown)
  if (!meetsIfMatch(ifMatch, tagOf(text))) throw errors.preconditionFailed(what)
}

/** Those by time are left alone: a server that shows no Last-Modified has to (RFC 9110, 13.1). */
const NAMES = { 'if-match': 'If-Match', 'if-none-match': 'If-None-Match' }
const CONDITIONS = Object.keys(NAMES) as (keyof typeof NAMES)[]

/** Of a change that cannot depend on it: ignoring a condition would write what the caller meant to keep. */
export function refuseConditions({ headers, routeOptions }: FastifyRequest): void {
  const { properties = {} } = (routeOptions.schema?.headers ?? {}) as { properties?: object }
  const taken = Object.keys(properties).map((name) => name.toLowerCase())
  const refused = CONDITIONS.find((name) => headers[name] !== undefined && !taken.includes(name))
  if (refused) throw errors.invalidValue(`${NAMES[refused]} cannot be used with this request.`)
}
