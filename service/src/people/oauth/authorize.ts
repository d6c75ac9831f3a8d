import type { AuthorizationRequest, Permission } from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { findClient, type OauthClient } from './clients.ts'
import type { OauthErrorCode } from './failure.ts'
import { isRegistered, redirectTo } from './redirects.ts'
import { permissionIn } from './scopes.ts'

/** What a person is asked to grant. */
export interface Asked {
  client: OauthClient
  redirectUri: string
  challenge: string
  permission: Permission
  state: string | undefined
}

/** A request that can be granted, or where the app is sent with the reason why not. */
export type Judged = { asked: Asked } | { redirect: string }

const CHALLENGE = /^[\w-]{43}$/

/** Nobody is ever sent to an address that is not registered: without one, the person is told what is wrong. */
export async function judged(store: Store, request: AuthorizationRequest, issuer: string): Promise<Judged> {
  const { client_id: clientId, redirect_uri: redirectUri, state } = request
  const client = clientId === undefined ? undefined : await findClient(store, clientId)
  if (!client) throw errors.invalidValue('client_id: this app is not registered here.')
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri))
    throw errors.invalidValue(`redirect_uri is not registered for the app ${client.name}.`)
  const refused = refusalOf(request, issuer)
  if (refused) return { redirect: answerTo({ redirectUri, state }, issuer, { error: refused[0], why: refused[1] }) }
  const permission = permissionIn(request.scope) ?? 'read'
  return { asked: { client, redirectUri, challenge: request.code_challenge ?? '', permission, state } }
}

function refusalOf(request: AuthorizationRequest, issuer: string): [OauthErrorCode, string] | undefined {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method, scope, resource } = request
  if (type !== 'code') return ['unsupported_response_type', 'response_type must be code.']
  if (challenge === undefined || !CHALLENGE.test(challenge) || method !== 'S256')
    return ['invalid_request', 'code_challenge and code_challenge_method=S256 are required.']
  if (permissionIn(scope) === undefined) return ['invalid_scope', 'scope must be read, or read control.']
  if (!isOfIssuer(resource, issuer)) return ['invalid_target', `resource must be below ${issuer}.`]
  return undefined
}

/** Tokens are for this service alone, whichever part of it an app names. */
export const isOfIssuer = (resource: string | undefined, issuer: string): boolean =>
  resource === undefined || (URL.canParse(resource) && new URL(resource).origin === new URL(issuer).origin)

type Outcome = { code: string } | { error: OauthErrorCode; why: string }

/** With the issuer, so that an app that uses several services knows which one has answered (RFC 9207). */
export function answerTo(
  { redirectUri, state }: Pick<Asked, 'redirectUri' | 'state'>,
  issuer: string,
  outcome: Outcome,
): string {
  const answer = 'code' in outcome ? outcome : { error: outcome.error, error_description: outcome.why }
  return redirectTo(redirectUri, { ...answer, state, iss: issuer })
}

/** Host of a website or of this machine; the scheme of an app. */
export function leadsTo(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}
