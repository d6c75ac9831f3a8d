import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface OnTagged {
  /** The asker has this answer already. */
  notModified(request: FastifyRequest, reply: FastifyReply): void | Promise<void>
  /** A new answer is about to leave; what is returned takes its place. */
  modified(request: FastifyRequest, reply: FastifyReply): string | undefined
}

/** Strong, and made from the answer itself: a value can go stale without any write. */
export const tagOf = (payload: string): string => `"${hash('sha256', payload, 'base64url').slice(0, 32)}"`

const CACHE_CONTROL = 'private, no-cache'

export function tagAnswers(app: FastifyInstance, on: OnTagged): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
    const tag = knownTag(reply) ?? tagOf(payload)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (isReading && isListed(request.headers['if-none-match'], tag)) {
      addTag(reply, tag)
      reply.code(304).removeHeader('content-type').removeHeader('content-length')
      const noted = on.notModified(request, reply)
      return noted ? void noted.then(() => done(null, ''), done) : done(null, '')
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

/** Whether a change may be made to what has this tag now; a weak tag never matches. */
export const meetsIfMatch = (header: string, tag: string): boolean =>
  header.split(',').some((entry) => entry.trim() === '*' || entry.trim() === tag)
