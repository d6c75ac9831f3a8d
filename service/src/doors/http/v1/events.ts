import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { errors } from '../../../base/errors.ts'
import { RevisionWaits } from '../../../house/revision-waits.ts'
import { authenticate, type CallerKey, noteUse } from '../../../people/keys/keys.ts'
import { ENDED, reachRevisions } from '../../../people/keys/reach.ts'
import type { Happening, News } from '../../../processes/news.ts'
import { acceptedIn } from '../accepted.ts'
import { lingerBriefly } from '../closing.ts'
import type { RateLimits } from '../limits.ts'
import { Waits } from '../turns.ts'
import { keyIn, movedFor } from './access.ts'
import { type StreamReader, stateEvents } from './event-stream.ts'
import { BuildingId, MOST_BUILDINGS, namedBuildings, requireNamed } from './named-buildings.ts'
import { errorResponses, QUERY_ERRORS } from './schemas.ts'
import type { StateParts } from './state.ts'

const EVENT_STREAM = 'text/event-stream'

const EVENT_ID = 'x7Yq2LkP0aZrx7Yq2LkP0aZrx7Yq2LkP0aZrx7Yq2LkP0aZr'

const EventsQuery = Type.Object({ building_id: BuildingId }, { additionalProperties: false })

const EventsHeaders = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      description: 'The `id` of the last event that was received. The stream goes on with what has changed since.',
      examples: [EVENT_ID],
    }),
  ),
})

const HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'no-store',
  // Nothing follows on it, and kept open it would hold up a service that ends.
  connection: 'close',
  // A proxy that collects the answer first would hold back all events.
  'x-accel-buffering': 'no',
}

export interface EventParts extends StateParts {
  news: News
}

interface InEvents {
  Querystring: Static<typeof EventsQuery>
}

/** The state of buildings as it changes, on one connection that stays open. */
export function eventsRoute(app: FastifyInstance, parts: EventParts): void {
  const { store, clock, news } = parts
  const waits = new Waits()
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const reaches = new RevisionWaits({
    news,
    named: keysNamed,
    revisionsOf: (keyIds) => reachRevisions(store, keyIds, clock.now()),
  })

  app.get<InEvents>(
    '/events',
    {
      config: { waits: true },
      schema: {
        operationId: 'getEvents',
        summary: 'The state as it changes, as server-sent events',
        description:
          'Needs `Accept: text/event-stream`. An event `buildings` has `building_ids`, the buildings that the stream follows: at the beginning, and when they are others. An event `state` has the `building_id`, those parts of the state of the building that have changed, each as a whole, and the `revision`; the first one has all parts. With `Last-Event-ID`, nothing is repeated that the caller has. Several changes of a part may come as one event, with what it is after the last. An event costs one read; with the budget used up, events come when it is renewed. Every 15 seconds without an event a comment shows that the connection lives. Of one key, 50 streams may be open in a process.',
        tags: ['Changes'],
        querystring: EventsQuery,
        headers: EventsHeaders,
        response: {
          200: {
            description: 'The events.',
            content: { [EVENT_STREAM]: { schema: Type.String(), example: EXAMPLE } },
          },
          ...errorResponses([...QUERY_ERRORS, 'not_acceptable']),
        },
      },
    },
    async (request, reply) => {
      if (!acceptedIn(request.headers.accept).includes(EVENT_STREAM)) throw errors.notAcceptable(EVENT_STREAM)
      await requireNamed(parts, request, await namedBuildings(parts, request))
      reply.headers(HEADERS)
      if (request.method === 'HEAD') return reply.send()
      waits.begin(request.apiKey.id, reply)
      const gone = new AbortController()
      const end = () => {
        gone.abort()
        lingerBriefly(reply.raw)
      }
      closing.signal.addEventListener('abort', end)
      reply.raw.once('close', () => {
        closing.signal.removeEventListener('abort', end)
        gone.abort()
      })
      if (closing.signal.aborted) end()
      const events = stateEvents({ ...parts, reaches }, readerOf(parts, request, reply, gone.signal))
      return reply.send(Readable.from(endingQuietly(events, request)))
    },
  )
}

/** A database that is away ends the stream, like everything else: its reader comes back. */
async function* endingQuietly(events: AsyncGenerator<string>, request: FastifyRequest): AsyncGenerator<string> {
  try {
    yield* events
  } catch (err) {
    request.log.warn({ err }, 'a stream of events has ended; its reader will come back')
  }
}

function readerOf(
  parts: EventParts,
  request: FastifyRequest<InEvents>,
  reply: FastifyReply,
  signal: AbortSignal,
): StreamReader {
  const { store, clock, limits, turns } = parts
  const { apiKey, headers } = request
  const lastEventId = headers['last-event-id']
  return {
    keyId: apiKey.id,
    async reached() {
      // Read before the buildings, which are at least as new.
      const revision = (await reachRevisions(store, [apiKey.id], clock.now())).get(apiKey.id) ?? ENDED
      // An app's access token ends when it is replaced, and the key that it stood for goes on.
      const caller = await authenticate(store, clock, keyIn(request))
      if (revision === ENDED || !caller) return undefined
      noteUse(store, clock, caller.key, request.log)
      const buildings = await namedBuildings(parts, request)
      const { building_id: named } = request.query
      const isGone =
        buildings.length === 0 && (named !== undefined || (await movedFor(store, clock, caller.key)) !== undefined)
      return isGone || buildings.length > MOST_BUILDINGS ? undefined : { revision, buildings }
    },
    pay: (units) => payFor(limits, apiKey, units),
    inTurn: (work) => turns.during(apiKey.id, reply, work),
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    signal,
  }
}

async function payFor(limits: RateLimits, { id }: CallerKey, units: number): Promise<{ pauseMs: number } | 'paid'> {
  if (limits.quota('read') === 0) return 'paid'
  const { exceeded, resetS } = await limits.spend(id, 'read', units)
  return exceeded ? { pauseMs: resetS * 1000 } : 'paid'
}

/** News names the account of a key, and what becomes of members is no news: both are rare, and looked for in all. */
const keysNamed = ({ kind }: Happening): string[] | undefined =>
  kind === 'key' || kind === 'anything' ? undefined : []

const EXAMPLE = [
  'event: state',
  `id: ${EVENT_ID}`,
  'data: {"building_id":"019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e","away":null,"revision":"wGGW5pgI1OrGHGHRz3zVHJ2NqR5hPyaK"}',
  '',
  '',
].join('\n')
