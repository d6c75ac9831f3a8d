import { matches, Name, timestampOf } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { errors, ServiceError } from '../../../base/errors.ts'
import { networkOf } from '../../../base/network.ts'
import { addClient } from '../../../people/oauth/clients.ts'
import { OauthFailure } from '../../../people/oauth/failure.ts'
import type { GrantParts } from '../../../people/oauth/grants.ts'
import { scopeOf } from '../../../people/oauth/scopes.ts'
import { rateLimits } from '../common-limits.ts'
import { GRANT_TYPES } from './metadata.ts'

/** Apps that one network may register in an hour. */
const REGISTRATIONS = 10
const HOUR_S = 3600

/** An app registers itself (RFC 7591). It gets no secret: what it is, nobody has checked. */
export function registrationRoute(app: FastifyInstance, { store, clock }: GrantParts): void {
  const registrations = rateLimits('oauth clients', { read: 0, write: REGISTRATIONS }, store, clock, HOUR_S)
  app.post('/register', { schema: { hide: true } }, async (request, reply) => {
    const { name, redirectUris } = metadataIn(request.body)
    const { exceeded, resetS } = await registrations.spend(networkOf(request.ip), 'write')
    if (exceeded) throw errors.rateLimited(resetS)
    const client = await addClient(store, { name, redirectUris, isSelfRegistered: true }, clock.now()).catch(
      (error) => {
        throw error instanceof ServiceError ? new OauthFailure('invalid_redirect_uri', error.message) : error
      },
    )
    return reply.code(201).send({
      client_id: client.id,
      client_id_issued_at: Math.floor(Date.parse(timestampOf(client.createdAt)) / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: scopeOf('write'),
    })
  })
}

function metadataIn(body: unknown): { name: string; redirectUris: string[] } {
  const { client_name: name = 'Unnamed app', redirect_uris: redirectUris = [] } = Object(body) as Record<
    string,
    unknown
  >
  if (typeof name !== 'string' || !matches(Name('', ''), name))
    throw new OauthFailure('invalid_client_metadata', 'client_name must have 1 to 100 visible characters.')
  if (!Array.isArray(redirectUris) || !redirectUris.every((uri) => typeof uri === 'string'))
    throw new OauthFailure('invalid_redirect_uri', 'redirect_uris must be a list of addresses.')
  return { name: name.trim(), redirectUris }
}
