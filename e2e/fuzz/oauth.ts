import { hash } from 'node:crypto'
import { systemClock } from '../../service/src/base/clock.ts'
import { NO_QUOTAS } from '../../service/src/base/quotas.ts'
import { addClient } from '../../service/src/people/oauth/clients.ts'
import { newCode, redeemCode } from '../../service/src/people/oauth/codes.ts'
import { beginOnDevice, decideOnDevice } from '../../service/src/people/oauth/devices.ts'
import type { SettledHouse } from '../settle.ts'
import type { Chance } from './chance.ts'
import { type Case, fuzzRequests } from './http.ts'
import type { Target } from './target.ts'
import type { Verdict } from './verdict.ts'

/** What an app of an owner holds: each of these opens something, once or for a while. */
interface App {
  clientId: string
  secrets: string[]
}

const REDIRECT_URI = 'https://app.example/back'
const VERIFIER = 'v'.repeat(43)
const PATHS = ['token', 'token', 'token', 'revoke', 'device_authorization', 'register']
const GRANTS = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'password',
  'client_credentials',
]
const CODES = 20

/** What apps send: forms, nearly right or wrong in one place, and what is no form. */
export async function fuzzOauth(target: Target, cases: number, chance: Chance, verdict: Verdict): Promise<void> {
  const app = await appOf(target, await target.newOwner())
  let asked = 0
  await fuzzRequests(target, 'oauth', cases, verdict, () => caseOf(chance, app, asked++))
}

function caseOf(chance: Chance, app: App, asked: number): Case {
  const path = chance.pick(PATHS)
  const isForm = path !== 'register' && chance.one(0.9)
  const type = chance.one(0.03) ? chance.pick(['text/plain', 'x', '']) : isForm ? FORM : 'application/json'
  const headers = {
    ...(type && { 'content-type': type }),
    // From an address of its own: the budget of an address is small.
    'x-forwarded-for': `2001:db8:${(asked >> 16).toString(16)}:${(asked & 0xffff).toString(16)}::1`,
    ...(chance.one(0.1) && { authorization: chance.pick(['Basic eDp5', 'Bearer x', `Bearer ${app.secrets[0]}`]) }),
    ...(chance.one(0.05) && { origin: 'https://elsewhere.example' }),
  }
  const body = chance.one(0.05) ? chance.pick(NO_FORMS) : bodyOf(chance, path, app, isForm)
  return { method: chance.one(0.03) ? 'GET' : 'POST', path: `/oauth/${path}`, headers, body, isStream: false }
}

const FORM = 'application/x-www-form-urlencoded'
const NO_FORMS = ['', '{', 'null', '[]', '&&&', '=', '%', '%zz=%00', 'a=1&a=2', '['.repeat(5000), 'x'.repeat(20_000)]

function bodyOf(chance: Chance, path: string, app: App, isForm: boolean): string {
  const entries = Object.entries(fieldsOf(chance, path, app))
    .filter(() => chance.one(0.95))
    .map(([name, value]): [string, unknown] => [name, chance.one(0.1) ? chance.value() : value])
  if (chance.one(0.05)) entries.push([chance.text(), chance.text()])
  if (!isForm) return JSON.stringify(Object.fromEntries(entries))
  if (chance.one(0.03) && entries[0]) entries.push(entries[0])
  return entries.map((pair) => pair.map((each) => encodeURIComponent(String(each).toWellFormed())).join('=')).join('&')
}

function fieldsOf(chance: Chance, path: string, { clientId, secrets }: App): Record<string, unknown> {
  if (path === 'register')
    return { client_name: chance.text(), redirect_uris: chance.pick([[], [REDIRECT_URI], [chance.text()], ['x:']]) }
  const secret = chance.pick(secrets)
  return {
    client_id: clientId,
    ...(path === 'revoke' && { token: secret }),
    ...(path === 'device_authorization' && { scope: chance.pick(['read', 'read control', '', 'x']) }),
    ...(path === 'token' && {
      grant_type: chance.pick(GRANTS),
      ...{ code: secret, refresh_token: secret, device_code: secret, code_verifier: VERIFIER },
      ...(chance.one(0.5) && { redirect_uri: REDIRECT_URI }),
    }),
    ...(chance.one(0.1) && { resource: chance.pick(['x', 'http://localhost', 'https://elsewhere.example']) }),
  }
}

async function appOf(target: Target, { accountId, buildingId }: SettledHouse): Promise<App> {
  return target.withStore(async (store) => {
    const parts = { store, clock: systemClock, quotas: NO_QUOTAS }
    const made = { name: 'Wall panel', redirectUris: [REDIRECT_URI], isSelfRegistered: false }
    const client = await addClient(store, made, systemClock.now())
    const challenge = hash('sha256', VERIFIER, 'base64url')
    const buildings = [{ id: buildingId, permission: 'write' as const }]
    const granted = { client, accountId, buildings, challenge, redirectUri: REDIRECT_URI }
    const code = await newCode(parts, granted)
    const redeemed = { client, code, verifier: VERIFIER, redirectUri: REDIRECT_URI }
    const { accessToken, refreshToken } = await redeemCode(parts, redeemed)
    const secrets = [accessToken, refreshToken, 'hypc_x', '']
    for (let n = 0; n < CODES; n++) {
      const { deviceCode, userCode } = await beginOnDevice(parts, { client, permission: 'write' })
      if (n % 2 === 0) await decideOnDevice(store, { userCode, accountId, buildings }, systemClock.now())
      secrets.push(deviceCode, await newCode(parts, granted))
    }
    return { clientId: client.id, secrets }
  })
}
