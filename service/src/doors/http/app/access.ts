import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors, type ServiceError } from '../../../base/errors.ts'
import { inSpan } from '../../../base/tracing/span.ts'
import { ADDRESS_HEADER } from '../../../people/accounts/address-header.ts'
import type { Auth } from '../../../people/accounts/auth.ts'
import type { AuthByOrigin } from '../../../people/accounts/auth-by-origin.ts'
import type { Store } from '../../../store/store.ts'
import { costOf, costOfRooms } from '../cost.ts'
import { OwnLimits } from '../limits.ts'
import type { Turns } from '../turns.ts'

export interface SignedIn {
  accountId: string
  email: string
  name: string
  twoFactor: boolean
  sessionId: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, on /app behind the sign-in. */
    signedIn: SignedIn
  }
}

/** A change comes from a page of this site, or from no page at all: a stranger's page cannot lend itself our cookie. */
export function refuseForeignOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { origin, 'sec-fetch-site': site } = request.headers
    const isForeign =
      origin === undefined ? site !== undefined && site !== 'same-origin' : hostOf(origin) !== request.host
    if (isForeign) throw errors.foreignOrigin()
  })
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

export function requireSession(app: FastifyInstance, auths: AuthByOrigin): void {
  app.decorateRequest('signedIn')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'private, no-cache')
    const signedIn = await inSpan('look-up', () => sessionOf(request, reply, auths))
    if (!signedIn) throw errors.notSignedIn()
    request.signedIn = signedIn
  })
}

/** Units a minute for each account, which only a script can use up; pages of one person take some hundreds. */
const UNITS_A_MINUTE = 6000

/** No account, and no guest's, takes the process from all others. In this process alone: it is the one protected. */
export function shareFairly(app: FastifyInstance, store: Store, clock: Clock, turns: Turns): void {
  const limits = new OwnLimits({ read: UNITS_A_MINUTE, write: UNITS_A_MINUTE }, clock)
  app.addHook('onRequest', async (request, reply) => {
    const { accountId } = request.signedIn
    const { exceeded, resetS } = limits.spend(accountId, 'read', costOf(request))
    if (exceeded) throw errors.rateLimited(resetS)
    if (!request.routeOptions.config.waits) await turns.take(accountId, reply)
  })
  // Not before it is known that the building is one of theirs.
  app.addHook('preValidation', async (request) => {
    const units = await costOfRooms(store, request, request.membership?.buildingId)
    if (units > 0) limits.spend(request.signedIn.accountId, 'read', units)
  })
}

export async function sessionOf(
  request: FastifyRequest,
  reply: FastifyReply,
  auths: AuthByOrigin,
): Promise<SignedIn | undefined> {
  if (request.headers.cookie === undefined) return undefined
  const { api } = await authOf(request, auths)
  const found = await passOn(reply, api.getSession({ headers: headersOf(request), returnHeaders: true }))
  if (!found) return undefined
  const { user, session } = found
  return {
    accountId: user.id,
    email: user.email,
    name: user.name,
    twoFactor: user.twoFactorEnabled === true,
    sessionId: session.id,
  }
}

export const authOf = (request: FastifyRequest, auths: AuthByOrigin): Promise<Auth> => auths.at(originOf(request))

/** For what makes or checks a passkey, which belongs to the site it was made on. */
export const passkeyAuthOf = (request: FastifyRequest, auths: AuthByOrigin): Promise<Auth> =>
  auths.forPasskeysAt(originOf(request))

/** As the caller wrote it, or as a trusted proxy says: behind one that ends TLS the cookie is to be `Secure` too. */
export function originOf(request: FastifyRequest): string {
  const origin = `${request.protocol}://${request.host}`
  return URL.canParse(origin) ? origin : 'http://localhost'
}

export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip })
  for (const name of ['cookie', 'user-agent', 'origin']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}

/** better-auth's answer, its cookies set on ours and its refusals turned into ours. */
export async function passOn<T>(
  reply: FastifyReply,
  answer: Promise<{ headers: Headers; response: T }>,
  refusal: (status: number) => ServiceError | Promise<ServiceError> = () => errors.wrongCredentials(),
): Promise<T> {
  try {
    const { headers, response } = await answer
    for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
    return response
  } catch (error) {
    if (isRefusal(error)) throw await refusal(Number(error.statusCode))
    throw error
  }
}

/** better-auth's own kind of error; recognised by its name, so that the library need not be loaded for it. */
const isRefusal = (error: unknown): error is Error & { statusCode: number } =>
  error instanceof Error &&
  error.name === 'APIError' &&
  Number((error as Error & { statusCode?: number }).statusCode) < 500
