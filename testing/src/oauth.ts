import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../service/src/base/clock.ts'
import { NO_QUOTAS } from '../../service/src/base/quotas.ts'
import { addClient, type OauthClient } from '../../service/src/people/oauth/clients.ts'
import { newCode, redeemCode } from '../../service/src/people/oauth/codes.ts'
import type { GrantedBuilding, Tokens } from '../../service/src/people/oauth/grants.ts'
import type { Store } from '../../service/src/store/store.ts'
import { type Browser, HOST } from './browser.ts'
import type { Answer, World } from './world.ts'

export const ISSUER = `http://${HOST}`
export const REDIRECT_URI = 'https://app.example/back'

export const registerApp = ({ store, clock }: { store: Store; clock: Clock }, redirectUris = [REDIRECT_URI]) =>
  addClient(store, { name: 'Wall panel', redirectUris, isSelfRegistered: false }, clock.now())

/** What an app keeps to itself, and what it shows of it. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

export const requestOf = (client: OauthClient, challenge: string) => ({
  client_id: client.id,
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'read control',
  state: 'a state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
})

/** As an app calls the service: a form, and the answer as JSON. */
export async function post(world: World, path: string, form: Record<string, string>): Promise<Answer> {
  const answer = await world.app.inject({
    method: 'POST',
    url: path,
    headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
  const { statusCode: status, headers, body: text } = answer
  return { status, headers: headers as Record<string, string>, text, json: answer.json() }
}

/** The whole way of an app with a browser: asked, allowed by the person, sent back, exchanged. */
export async function connect(world: World, browser: Browser, client: OauthClient, buildings: GrantedBuilding[]) {
  const { verifier, challenge } = newPkce()
  const request = requestOf(client, challenge)
  const { json } = await browser.call('POST', '/app/authorization', { request, buildings })
  const back = new URL(json.redirect)
  const code = back.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id: client.id, code, code_verifier: verifier }
  return { back, form, answer: await post(world, '/oauth/token', form) }
}

/** Without the pages, for a test that is about what tokens open. */
export async function tokensFor(
  { store, clock }: { store: Store; clock: Clock },
  granted: { accountId: string; buildings: GrantedBuilding[] },
): Promise<Tokens> {
  const parts = { store, clock, quotas: NO_QUOTAS }
  const client = await registerApp(parts)
  const { verifier, challenge } = newPkce()
  const code = await newCode(parts, { ...granted, client, redirectUri: REDIRECT_URI, challenge })
  return redeemCode(parts, { client, code, verifier, redirectUri: REDIRECT_URI })
}
