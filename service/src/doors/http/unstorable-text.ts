import type { FastifyInstance } from 'fastify'
import { errors } from '../../base/errors.ts'

/** PostgreSQL has no NUL, and UTF-8 has no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/**
 * Refuses such text wherever it stands in a request, in this one place and on both engines alike. An id with it in it
 * is the id of nothing.
 */
export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('preValidation', ({ params, query, body }, _reply, done) => {
    for (const [name, id] of Object.entries((params ?? {}) as Record<string, string>))
      if (!isStorable(id)) return done(errors.noSuch(name.replace(/Id$/, ''), id))
    const field = spoiledIn(query) ?? spoiledIn(body)
    done(field === undefined ? undefined : errors.unstorableText(field))
  })
}

/** The name of the first member with such a text somewhere in it; not by recursion, since a body may be deep. */
function spoiledIn(whole: unknown): string | undefined {
  const left: [name: string, value: unknown][] = Object.entries(whole ?? {})
  for (let next = left.pop(); next; next = left.pop()) {
    const [name, value] = next
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value))) return name
    if (typeof value === 'object' && value !== null)
      for (const [inner, member] of Object.entries(value))
        left.push([Array.isArray(value) ? name : `${name}.${inner}`, member])
  }
  return undefined
}
