import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { type ApiKey, authenticate, noteUse } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { type Budget, type RateLimits, type Spending, WINDOW_S } from '../limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, on /v1. */
    apiKey: ApiKey
  }
}

export const budgetOf = (request: FastifyRequest): Budget =>
  request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write'

/** In this order: is there a valid key, is its budget not used up, may it write. */
export function requireApiKey(app: FastifyInstance, store: Store, clock: Clock, limits: RateLimits): void {
  app.decorateRequest('apiKey')
  app.addHook('onRequest', async (request, reply) => {
    const budget = budgetOf(request)
    const key = await keyOf(request, store, clock)
    request.apiKey = key
    noteUse(store, clock, key).catch((err) => request.log.warn({ err }, 'last use of a key not noted'))
    await charge(reply, limits, key, budget)
    if (budget === 'write' && key.permission !== 'write') throw errors.readOnlyKey()
  })
}

export async function refundNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): Promise<void> {
  if (!request.apiKey || limits.quota('read') === 0) return
  announce(reply, limits, 'read', await limits.refund(request.apiKey.id, 'read'))
}

async function keyOf(request: FastifyRequest, store: Store, clock: Clock): Promise<ApiKey> {
  const value = request.headers['x-api-key']
  if (typeof value !== 'string' || value === '') throw errors.missingApiKey()
  const key = await authenticate(store, clock, value)
  if (!key) throw errors.invalidApiKey()
  return key
}

async function charge(reply: FastifyReply, limits: RateLimits, key: ApiKey, budget: Budget): Promise<void> {
  if (limits.quota(budget) === 0) return
  const spending = await limits.spend(key.id, budget)
  announce(reply, limits, budget, spending)
  if (spending.exceeded) throw errors.rateLimited(spending.resetS)
}

/** Without a key nothing has been spent, and the whole budget is what a key would have. */
export function announce(reply: FastifyReply, limits: RateLimits, budget: Budget, spending?: Spending): void {
  const quota = limits.quota(budget)
  if (quota === 0) return
  const { remaining, resetS } = spending ?? { remaining: quota, resetS: WINDOW_S }
  reply.header('ratelimit-policy', `"${budget}";q=${quota};w=${WINDOW_S}`)
  reply.header('ratelimit', `"${budget}";r=${remaining};t=${resetS}`)
}
