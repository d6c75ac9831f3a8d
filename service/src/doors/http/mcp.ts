import { Readable } from 'node:stream'
import { HypocaustClient } from '@hypocaust/client'
import type { McpHttpHandler } from '@hypocaust/mcp'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { RateLimits } from './limits.ts'
import { type Turns, Waits } from './turns.ts'
import { admit, keyIn } from './v1/access.ts'

interface McpParts {
  store: Store
  clock: Clock
}

/** In-process requests have no address of their own; the client only needs one to be complete. */
const OWN_ADDRESS = 'http://localhost'
/** A server for one key is made for every message. */
const MESSAGE_COST = 3
/** Open streams of all assistants together; the tools never change, so such a stream stays empty. */
const MAX_SUBSCRIPTIONS = 100

/** The Model Context Protocol over HTTP: an assistant's tools are requests on /v1, with the same key. */
export function mcpRoute(app: FastifyInstance, parts: McpParts, limits: RateLimits, turns: Turns): void {
  let handler: Promise<McpHttpHandler> | undefined
  const waits = new Waits()
  app.post('/mcp', { config: { cost: MESSAGE_COST }, schema: { hide: true } }, async (request, reply) => {
    const value = keyIn(request)
    const key = await admit(request, reply, value, { ...parts, limits, budget: 'read' })
    if (Array.isArray(request.body)) throw errors.invalidBody()
    if (isListening(request.body)) waits.begin(key.id, reply)
    else await turns.take(key.id, reply)
    handler ??= load(app, parts)
    const { fetch } = await handler
    const answer = await fetch(webRequest(request), {
      parsedBody: request.body,
      authInfo: { token: value, clientId: key.id, scopes: [key.permission], extra: { requestId: request.id } },
    })
    return forward(answer, reply)
  })
  app.addHook('onClose', async () => (await handler)?.close())
}

/** Loaded with the first assistant: most services never meet one. */
async function load(app: FastifyInstance, { clock }: McpParts): Promise<McpHttpHandler> {
  const { assistantServer, createMcpHandler } = await import('@hypocaust/mcp')
  return createMcpHandler(
    ({ authInfo }) => {
      if (!authInfo) throw new Error('an assistant without a key')
      const { token, scopes, extra } = authInfo
      const fetch = throughTheApp(app, String(extra?.requestId))
      const client = new HypocaustClient({ baseUrl: OWN_ADDRESS, apiKey: token, retries: 0, fetch })
      const permission = scopes.includes('write') ? 'write' : 'read'
      return assistantServer({ client, permission, now: () => clock.now() })
    },
    {
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: (err) => app.log.debug({ err }, 'a message of an assistant was refused'),
    },
  )
}

/** Such a message opens a stream that stays open. */
const isListening = (message: unknown): boolean =>
  (message as { method?: unknown } | null)?.method === 'subscriptions/listen'

/** A request as from outside: the same checks, limits and answers, and the same request id in the log. */
const throughTheApp =
  (app: FastifyInstance, requestId: string): typeof fetch =>
  async (input, init) => {
    const { pathname, search } = new URL(String(input))
    const answer = await app.inject({
      method: (init?.method ?? 'GET') as HTTPMethods,
      url: pathname + search,
      headers: { ...(init?.headers as Record<string, string>), 'x-request-id': requestId },
      ...(init?.body !== undefined && { payload: String(init.body) }),
    })
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string])
    return new Response(answer.body === '' ? null : answer.body, { status: answer.statusCode, headers })
  }

function webRequest({ method, url, headers, body }: FastifyRequest): Request {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  return new Request(OWN_ADDRESS + url, { method, headers: kept, body: JSON.stringify(body) })
}

function forward(answer: Response, reply: FastifyReply): FastifyReply {
  reply.code(answer.status).headers(Object.fromEntries(answer.headers))
  return reply.send(answer.body ? Readable.fromWeb(answer.body as never) : null)
}
