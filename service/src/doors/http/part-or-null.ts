import type { FastifyInstance, FastifyReply } from 'fastify'
import { requireTag } from './etag.ts'
import { serialiserOf } from './schema-compilers.ts'
import { sendNull } from './send-null.ts'
import { Ref } from './v1/schemas.ts'

interface Part<Stored> {
  /** As the refusal of a condition names it. */
  name: string
  schema: string
  stored(id: string): Promise<Stored>
  shown(stored: Stored): object | null
}

/** A part of a building or a room that need not be there: null is answered then, and has a tag too. */
export function partOrNull<Stored>(app: FastifyInstance, { name, schema, stored, shown }: Part<Stored>) {
  const serialise = serialiserOf(app, Ref(schema))
  return {
    answer: async (id: string, reply: FastifyReply) => shown(await stored(id)) ?? sendNull(reply),
    /** As it is stored, for a change that is conditional on it. */
    async seen(id: string, ifMatch: string | undefined): Promise<Stored | undefined> {
      if (ifMatch === undefined) return undefined
      const row = await stored(id)
      requireTag(ifMatch, shown(row), serialise, name)
      return row
    },
  }
}
