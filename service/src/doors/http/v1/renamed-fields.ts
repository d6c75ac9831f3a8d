import { DEPRECATED_AT_MS, SUNSET_MS } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { NAMED } from './schemas.ts'

/** RFC 9745 and RFC 8594. */
const ANNOUNCEMENT = {
  deprecation: `@${DEPRECATED_AT_MS / 1000}`,
  sunset: new Date(SUNSET_MS).toUTCString(),
}

/** Answers that carry a field under its old name too announce when it will be removed. */
export function announceRenamedFields(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { 200: answer } = (route.schema?.response ?? {}) as { 200?: unknown }
    if (!hasRenamedField(answer)) return
    route.onSend = [route.onSend ?? []].flat().concat((_request, reply, payload, done) => {
      if (reply.statusCode === 200) reply.headers(ANNOUNCEMENT)
      done(null, payload)
    })
  })
}

function hasRenamedField(schema: unknown): boolean {
  const text = JSON.stringify(schema) ?? ''
  if (text.includes('"deprecated":true')) return true
  return [...text.matchAll(/"\$ref":"(\w+)#"/g)].some(([, name]) => hasRenamedField(NAMED[name ?? '']))
}
