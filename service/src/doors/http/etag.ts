import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type OnNotModified = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Strong, and made from the answer itself: a value can go stale without any write. */
export function tagAnswers(app: FastifyInstance, onNotModified: OnNotModified): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (!isReading || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    const tag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 32)}"`
    reply.header('etag', tag)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
    if (!isListed(request.headers['if-none-match'], tag)) return payload
    await onNotModified(request, reply)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return ''
  })
}

function isListed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === tag)
}
