import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { errors } from '../../../base/errors.ts'
import { ChangeFeed, type FeedParts } from '../../../people/changes/feed.ts'
import { authenticate } from '../../../people/keys/keys.ts'
import { buildingsReached } from '../../../people/keys/reach.ts'
import type { RateLimits } from '../limits.ts'
import { type Turns, Waits } from '../turns.ts'
import { charge, keyIn, movedFor } from './access.ts'
import { QUERY_ERRORS, ReadHeaders, readResponses, success } from './schemas.ts'
import { secondsOf, WaitSeconds } from './wait.ts'

const ChangesQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        description: 'The `cursor` of the answer before. Without it, or with an unknown one, the answer is everything.',
        examples: ['x7Yq2LkP0aZr'],
      }),
    ),
    wait: WaitSeconds,
  },
  { additionalProperties: false },
)

/** One request that waits takes the place of many that ask. */
export function changesRoute(app: FastifyInstance, parts: FeedParts, limits: RateLimits, turns: Turns): void {
  const feed = new ChangeFeed(parts)
  const waits = new Waits()
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  app.get<{ Querystring: Static<typeof ChangesQuery> }>(
    '/changes',
    {
      config: { costsByAnswer: true, waits: true },
      schema: {
        operationId: 'getChanges',
        summary: 'Wait for changes',
        description:
          'Answers at once if anything the key can see has changed since the cursor, else when it does, or empty after `wait` seconds. An empty answer costs no budget. `last_seen` alone is no change. Absences, also in the future, and alerts count for their building, overrides for their room. Then read what is named, and ask again with the new cursor.',
        tags: ['Changes'],
        querystring: ChangesQuery,
        headers: ReadHeaders,
        response: readResponses(success('What has changed.', 'Changes'), QUERY_ERRORS),
      },
    },
    async (request, reply) => {
      const { since, wait } = request.query
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const signal = AbortSignal.any([closing.signal, gone.signal])
      const waitMs = 1000 * secondsOf(wait)
      waits.begin(request.apiKey.id, reply)
      const changes = await feed.changes(request.apiKey, { since, waitMs, signal })
      await turns.take(request.apiKey.id, reply)
      // It may have been revoked while it waited.
      if (!(await authenticate(parts.store, parts.clock, keyIn(request)))) throw errors.invalidApiKey(request.issuer)
      if (changes.buildings.length === 0) await refuseWhereAllMoved(parts, request)
      else await charge(request, reply, limits, 'read')
      return changes
    },
  )
}

async function refuseWhereAllMoved({ store, clock }: FeedParts, request: FastifyRequest): Promise<void> {
  const { apiKey, url } = request
  const moved = await movedFor(store, clock, apiKey)
  if (!moved) return
  const reached = await buildingsReached(store, apiKey, clock.now(), { only: undefined, most: 1 })
  if (reached.length === 0) throw errors.moved(moved.buildingId, moved.url, url)
}
