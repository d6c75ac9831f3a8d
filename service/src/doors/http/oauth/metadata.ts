import type { FastifyInstance } from 'fastify'
import { SCOPES } from '../../../people/oauth/scopes.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_GRANT]

/** What is opened by tokens, beside the whole. */
const RESOURCES = ['v1', 'mcp']

/** How apps find their way: RFC 8414 and RFC 9728. */
export function metadataRoutes(app: FastifyInstance, { canRegister }: { canRegister: boolean }): void {
  const schema = { hide: true }
  app.get('/.well-known/oauth-authorization-server', { schema }, async ({ issuer }) => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    ...(canRegister && { registration_endpoint: `${issuer}/oauth/register` }),
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  }))
  for (const path of ['', ...RESOURCES.map((name) => `/${name}`)])
    app.get(`/.well-known/oauth-protected-resource${path}`, { schema }, async ({ issuer }) => ({
      resource: `${issuer}${path}`,
      authorization_servers: [issuer],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Hypocaust',
    }))
}
