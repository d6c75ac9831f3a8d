import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'
import { networkOf } from '../../../base/network.ts'
import { isOfIssuer } from '../../../people/oauth/authorize.ts'
import { findClient, type OauthClient } from '../../../people/oauth/clients.ts'
import { redeemCode } from '../../../people/oauth/codes.ts'
import { beginOnDevice, redeemOnDevice } from '../../../people/oauth/devices.ts'
import { OauthFailure } from '../../../people/oauth/failure.ts'
import { type GrantParts, refreshGrant, revokeByToken, type Tokens } from '../../../people/oauth/grants.ts'
import { permissionIn, scopeOf } from '../../../people/oauth/scopes.ts'
import { rateLimits } from '../common-limits.ts'
import { CORS_HEADERS } from '../v1/cors.ts'
import { optional, parseForms, required } from './form.ts'
import { DEVICE_GRANT, metadataRoutes } from './metadata.ts'
import { registrationRoute } from './register.ts'

interface OauthParts extends GrantParts {
  /** Whether apps may register themselves. */
  canRegister: boolean
}

/** Requests a minute of one network: a device asks twelve times. */
const REQUESTS = 120
/** Devices that one network may begin to connect in a minute. */
const DEVICES = 10

/** What apps call (OAuth 2.1, RFC 8628, RFC 7009). Where people decide is on the website. */
export async function oauthRoutes(app: FastifyInstance, parts: OauthParts): Promise<void> {
  const { store, clock } = parts
  const requests = rateLimits('oauth requests', { read: 0, write: REQUESTS }, store, clock)
  parseForms(app)
  answerAsOauth(app)
  metadataRoutes(app, parts)
  await app.register(
    async (own) => {
      own.addHook('onRequest', async (request) => {
        const { exceeded, resetS } = await requests.spend(networkOf(request.ip), 'write')
        if (exceeded) throw errors.rateLimited(resetS)
      })
      tokenRoute(own, parts)
      revocationRoute(own, parts)
      deviceRoute(own, parts)
      if (parts.canRegister) registrationRoute(own, parts)
    },
    { prefix: '/oauth' },
  )
}

/** Readable by pages of any website, kept by none, and refused in the words of the standard. */
function answerAsOauth(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...CORS_HEADERS, 'cache-control': 'no-store' })
  })
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof OauthFailure)) throw error
    return reply
      .code(error.code === 'invalid_client' ? 401 : 400)
      .send({ error: error.code, error_description: error.message })
  })
}

async function clientIn({ store }: GrantParts, request: FastifyRequest): Promise<OauthClient> {
  const { client_id: id } = required(request, 'client_id')
  const client = await findClient(store, id)
  if (!client) throw new OauthFailure('invalid_client', 'client_id: this app is not registered here.')
  return client
}

function tokenRoute(app: FastifyInstance, parts: OauthParts): void {
  app.post('/token', { schema: { hide: true } }, async (request) => {
    const { grant_type: grantType } = required(request, 'grant_type')
    const client = await clientIn(parts, request)
    requireOwnResource(request)
    return answerOf(await tokensFor(parts, request, client, grantType))
  })
}

function tokensFor(
  parts: OauthParts,
  request: FastifyRequest,
  client: OauthClient,
  grantType: string,
): Promise<Tokens> {
  switch (grantType) {
    case 'authorization_code': {
      const { code, code_verifier: verifier } = required(request, 'code', 'code_verifier')
      return redeemCode(parts, { client, code, verifier, redirectUri: optional(request, 'redirect_uri') })
    }
    case 'refresh_token': {
      const { refresh_token: refreshToken } = required(request, 'refresh_token')
      return refreshGrant(parts, { clientId: client.id, refreshToken })
    }
    case DEVICE_GRANT: {
      const { device_code: deviceCode } = required(request, 'device_code')
      return redeemOnDevice(parts, { client, deviceCode })
    }
    default:
      throw new OauthFailure('unsupported_grant_type', 'There is no such grant_type here.')
  }
}

const answerOf = ({ accessToken, refreshToken, expiresInS, permission }: Tokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresInS,
  refresh_token: refreshToken,
  scope: scopeOf(permission),
})

function requireOwnResource(request: FastifyRequest): void {
  if (!isOfIssuer(optional(request, 'resource'), request.issuer))
    throw new OauthFailure('invalid_target', `resource must be below ${request.issuer}.`)
}

function revocationRoute(app: FastifyInstance, parts: OauthParts): void {
  app.post('/revoke', { schema: { hide: true } }, async (request) => {
    const { token } = required(request, 'token')
    const client = await clientIn(parts, request)
    await revokeByToken(parts, { clientId: client.id, token })
    return {}
  })
}

function deviceRoute(app: FastifyInstance, parts: OauthParts): void {
  const { store, clock } = parts
  const devices = rateLimits('oauth devices', { read: 0, write: DEVICES }, store, clock)
  app.post('/device_authorization', { schema: { hide: true } }, async (request) => {
    const client = await clientIn(parts, request)
    requireOwnResource(request)
    const permission = permissionIn(optional(request, 'scope'))
    if (!permission) throw new OauthFailure('invalid_scope', 'scope must be read, or read control.')
    const { exceeded, resetS } = await devices.spend(networkOf(request.ip), 'write')
    if (exceeded) throw errors.rateLimited(resetS)
    const { deviceCode, userCode, expiresInS, intervalS } = await beginOnDevice(parts, { client, permission })
    const page = `${request.issuer}/device`
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: expiresInS,
      interval: intervalS,
    }
  })
}
