import { type Action, UUID_PATTERN } from '@hypocaust/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../../base/clock.ts'
import { errors, ServiceError } from '../../../base/errors.ts'
import { inSpan } from '../../../base/tracing/span.ts'
import { type MovedAway, movedAway } from '../../../house/buildings/moved.ts'
import { type Actor, actingAs } from '../../../house/change-log/actor.ts'
import { requirePermission, seesRoom } from '../../../house/membership.ts'
import { authenticate, type CallerKey, type NamedBuilding, noteUse, reaches } from '../../../people/keys/keys.ts'
import type { RunningWindow } from '../../../store/rate-windows.ts'
import type { Store } from '../../../store/store.ts'
import { requireActions } from '../actions.ts'
import { costOf, costOfRooms } from '../cost.ts'
import { bodyOf, pathOf } from '../errors.ts'
import { isAny, isListed, type OnTagged, refuseConditions } from '../etag.ts'
import { type Budget, type RateLimits, type Spending, WINDOW_S } from '../limits.ts'
import type { Turns } from '../turns.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route charges the budget itself, once it knows its answer. */
    costsByAnswer?: boolean
    /** What the route does in the building it names: a member's role must allow one of these. */
    actions?: Action[]
  }
  interface FastifyRequest {
    /** Who asks, on /v1 and /mcp. */
    apiKey: CallerKey
    /** The building named in the path, where the key can reach it. */
    reached: NamedBuilding | undefined
    /** The budget was used up when this read asked; a 304 may still be the answer. */
    overspent: Spending | undefined
    /** Units that have been taken from the budget for this request. */
    charged: number
    /** What the key has used of its reads, where processes share the count. */
    readWindow: RunningWindow | undefined
  }
}

export const budgetOf = (request: FastifyRequest): Budget =>
  request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write'

/** Once, before the doors that need a key. */
export function decorateKeyRequests(app: FastifyInstance): void {
  app.decorateRequest('apiKey')
  app.decorateRequest('reached')
  app.decorateRequest('overspent')
  app.decorateRequest('charged', 0)
  app.decorateRequest('readWindow')
}

interface Admission {
  store: Store
  clock: Clock
  limits: RateLimits
  budget: Budget
}

/** In this order: is there a valid key, is its budget not used up, may it write, may its holder do this there. */
export function requireApiKey(
  app: FastifyInstance,
  store: Store,
  clock: Clock,
  limits: RateLimits,
  turns: Turns,
  /** Refuses a key that does not open this interface. */
  requireOpen: (key: CallerKey) => void = () => {},
): void {
  requireActions(app, ['buildingId'])
  app.addHook('onRequest', async (request, reply) => {
    const budget = budgetOf(request)
    const key = await admit(request, reply, keyIn(request), { store, clock, limits, budget })
    requireOpen(key)
    if (budget === 'write') requireWriteKey(key)
    const named = (request.params ?? {}) as Partial<Named>
    const { costsByAnswer, actions, waits } = request.routeOptions.config
    if (named.buildingId !== undefined) {
      // The answer is that there is no such building, which is charged like any other.
      if (costsByAnswer && !request.reached) await charge(request, reply, limits, budget)
      requireReach(request.reached, { ...named, buildingId: named.buildingId }, actions)
      if (budget === 'write') requireWriteKey(request.reached)
    }
    if (!waits) await turns.take(key.id, reply)
  })
  // Also where the building leaves while the request is under way.
  app.setErrorHandler(async (error, request) => {
    const { buildingId } = (request.params ?? {}) as Partial<Named>
    const isGone = error instanceof ServiceError && error.code === 'not_found'
    // Without a key nobody learns that there was such a building.
    const isKnown = (request.apiKey as CallerKey | undefined) !== undefined
    if (isGone && isKnown && buildingId !== undefined) await refuseMoved(store, clock, request, buildingId)
    throw error
  })
  // After the body was read: what follows is the handler, and all that it changes is changed by the key.
  app.addHook('preHandler', (request, _reply, done) => {
    const { apiKey, reached } = request
    if (budgetOf(request) === 'read') return done()
    refuseConditions(request)
    actingAs(actorOf(apiKey, reached), done)
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { method, url, apiKey, log } = request
    if (budgetOf(request) === 'write' && statusCode < 400) logChange(log, method, pathOf(url), apiKey)
    done()
  })
}

/** Where the building has left for another server, or the last one of those that have, and the key reaches it. */
export async function movedFor(
  store: Store,
  clock: Clock,
  key: CallerKey,
  buildingId?: string,
): Promise<MovedAway | undefined> {
  if (buildingId !== undefined && !UUID_PATTERN.test(buildingId)) return undefined
  const who = { accountId: key.accountId, nowMs: clock.now() }
  const moved = await movedAway(store, who, buildingId?.toLowerCase())
  return moved && reaches(key, moved.buildingId) ? moved : undefined
}

/** Refuses with the new address. */
export async function refuseMoved(
  store: Store,
  clock: Clock,
  { apiKey, url }: Pick<FastifyRequest, 'apiKey' | 'url'>,
  buildingId?: string,
): Promise<void> {
  const moved = await movedFor(store, clock, apiKey, buildingId)
  if (moved) throw errors.moved(moved.buildingId, moved.url, url)
}

const actorOf = ({ name, accountId }: CallerKey, reached: NamedBuilding | undefined): Actor => ({
  ...{ kind: 'key', name, accountId },
  ...(reached && { role: reached.membership.role }),
})

const logChange = (log: Pick<Logger, 'info'>, method: string, path: string, { id, name }: CallerKey): void =>
  log.info({ method, path, key: { id, name } }, 'changed by an API key')

function requireWriteKey({ permission }: Pick<CallerKey, 'permission'>): void {
  if (permission !== 'write') throw errors.readOnlyKey()
}

/** Ids of a path, as they were sent. */
interface Named {
  buildingId: string
  roomId?: string
}

/** A building that its holder is no member of does not exist, nor does a room that is not among a guest's. */
function requireReach(
  reached: NamedBuilding | undefined,
  { buildingId, roomId }: Named,
  actions: readonly Action[] = [],
): asserts reached is NamedBuilding {
  if (!reached) throw errors.noSuchBuilding(buildingId)
  if (roomId !== undefined && !seesRoom(reached.membership, roomId.toLowerCase())) throw errors.noSuchRoom(roomId)
  requirePermission(reached.membership, ...actions)
}

/** A key in its own header, or a key or an app's access token the way programs send a token. */
export function keyIn({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const value = headers['x-api-key'] ?? bearer
  return typeof value === 'string' ? value : ''
}

/** Whose key it is; refuses one that is not valid or has used up its budget. */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  { store, clock, limits, budget }: Admission,
): Promise<CallerKey> {
  if (value === '') throw errors.missingApiKey(request.issuer)
  const caller = await inSpan('look-up', () => authenticate(store, clock, value, namedBuilding(request)))
  if (!caller) throw errors.invalidApiKey(request.issuer)
  const { key, building, readWindow } = caller
  request.apiKey = key
  request.reached = building
  request.readWindow = readWindow
  noteUse(store, clock, key, request.log)
  if (!request.routeOptions.config.costsByAnswer)
    await charge(request, reply, limits, budget, await costOfRooms(store, request, building?.id))
  return key
}

/** Ids are accepted in any case; one that is no UUID is not looked up. */
function namedBuilding({ params }: FastifyRequest): string | undefined {
  const { buildingId } = (params ?? {}) as { buildingId?: string }
  const id = buildingId?.toLowerCase()
  return id !== undefined && UUID_PATTERN.test(id) ? id : undefined
}

/**
 * A 304 costs nothing, unless the answer had to be worked out for it; an answer beyond the budget is refused once it
 * turns out not to be one.
 */
export const chargeByAnswer = (limits: RateLimits): OnTagged => ({
  notModified({ apiKey, charged, overspent }, reply) {
    if (charged !== 1 || overspent) return
    const refunded = limits.refund(apiKey.id, 'read')
    const tell = (spending: Spending) => announce(reply, limits, 'read', spending)
    return refunded instanceof Promise ? refunded.then(tell) : tell(refunded)
  },
  modified({ overspent }, reply) {
    if (!overspent) return undefined
    const error = errors.rateLimited(overspent.resetS)
    reply.code(error.status).headers(error.headers)
    return JSON.stringify(bodyOf(error))
  },
})

/** Takes from the budget of the key what the request costs, or refuses. */
export async function charge(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
  budget: Budget,
  onTop = 0,
): Promise<void> {
  if (limits.quota(budget) === 0) return
  const units = costOf(request) + onTop
  const spending = await limits.spend(request.apiKey.id, budget, units)
  request.charged = units
  announce(reply, limits, budget, spending)
  if (!spending.exceeded) return
  const known = request.headers['if-none-match']
  const mayBeFree = units === 1 && budget === 'read' && known !== undefined && !isAny(known)
  if (!mayBeFree) throw errors.rateLimited(spending.resetS)
  request.overspent = spending
}

/** For a route that knows the tag of its answer: charged, unless the caller has that answer already. */
export async function chargeUnlessKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
  tag: string,
  onTop?: () => number,
): Promise<void> {
  if (!isListed(request.headers['if-none-match'], tag)) return charge(request, reply, limits, 'read', onTop?.())
  announce(reply, limits, 'read', limits.left(request.apiKey.id, 'read', request.readWindow))
}

/** The rule is the same for every key; what is left is known only of a key that asks. */
export function announce(reply: FastifyReply, limits: RateLimits, budget: Budget, spending?: Spending): void {
  reply.headers(policyHeader(limits, budget))
  if (spending && limits.quota(budget) !== 0) reply.header('ratelimit', leftHeader(budget, spending))
}

/** None where there is no limit. */
function policyHeader(limits: RateLimits, budget: Budget): Record<string, string> {
  const quota = limits.quota(budget)
  return quota === 0 ? {} : { 'ratelimit-policy': `"${budget}";q=${quota};w=${WINDOW_S}` }
}

const leftHeader = (budget: Budget, { remaining, resetS }: Spending): string => `"${budget}";r=${remaining};t=${resetS}`
