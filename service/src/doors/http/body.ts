import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../base/errors.ts'
import { duplicateKeyIn } from './duplicate-keys.ts'

export const JSON_UTF8 = 'application/json; charset=utf-8'
export const MAX_BODY_BYTES = 16 * 1024

/** JSON only. */
export function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, done) => {
    if (!isPlainUtf8(headers)) return done(errors.unsupportedMediaType())
    try {
      done(null, jsonIn(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('preValidation', ({ routeOptions, body }, _reply, done) => {
    if (!routeOptions.schema?.body) return done()
    if (body === undefined) return done(errors.invalidJson())
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    done(isObject ? undefined : errors.invalidBody())
  })
}

/** A body in another encoding, or compressed, would be called broken JSON. */
function isPlainUtf8({ 'content-type': type = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders) {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
  return /^(?:utf-?8|us-ascii)$/i.test(charset) && encoding.trim().toLowerCase() === 'identity'
}

/**
 * Parsed strictly. A key that occurs twice is refused: nobody knows which value was meant. A `__proto__` in it stays an
 * ordinary, unknown field and is refused as one, and text that is not UTF-8 is no JSON.
 */
function jsonIn(body: Buffer): unknown {
  const { text, parsed } = decoded(body)
  const duplicate = duplicateKeyIn(text)
  if (duplicate !== undefined) throw errors.duplicateKey(duplicate)
  return parsed
}

function decoded(body: Buffer): { text: string; parsed: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return { text, parsed: JSON.parse(text) }
  } catch {
    throw errors.invalidJson()
  }
}
