import type { AuthorizationRequest } from '@hypocaust/domain'

const NAMES = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

/** As an app wrote it into the address. Other names mean nothing here. */
export function requestIn(search: string): AuthorizationRequest {
  const given = new URLSearchParams(search)
  return Object.fromEntries(NAMES.flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? '']] : [])))
}
