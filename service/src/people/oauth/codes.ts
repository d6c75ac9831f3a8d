import { hash, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '@hypocaust/domain'
import { hashSecret, newSecret } from '../../base/secret.ts'
import { revokeKey } from '../keys/keys.ts'
import type { OauthClient } from './clients.ts'
import { OauthFailure } from './failure.ts'
import { alreadyUsed, type GrantedBuilding, type GrantParts, openGrant, type Tokens } from './grants.ts'

const CODE_MS = MINUTE_MS

interface Granted {
  client: OauthClient
  accountId: string
  redirectUri: string
  challenge: string
  buildings: GrantedBuilding[]
}

/** What the app is sent back with; it is worth nothing without the secret behind the challenge. */
export async function newCode({ store, clock }: GrantParts, granted: Granted): Promise<string> {
  const { client, accountId, redirectUri, challenge, buildings } = granted
  const code = newSecret('hypc_')
  await store.db
    .insertInto('oauthCodes')
    .values({
      ...{ accountId, redirectUri, challenge },
      hash: hashSecret(code),
      clientId: client.id,
      buildings: JSON.stringify(buildings),
      expiresAt: clock.now() + CODE_MS,
      keyId: null,
    })
    .execute()
  return code
}

interface Presented {
  client: OauthClient
  code: string
  verifier: string
  /** Has to be the one of the request, where it is named. */
  redirectUri: string | undefined
}

export async function redeemCode(parts: GrantParts, presented: Presented): Promise<Tokens> {
  const { store, clock } = parts
  const { client, verifier, redirectUri } = presented
  const codeHash = hashSecret(presented.code)
  const { db } = store
  const code = await db.selectFrom('oauthCodes').selectAll().where('hash', '=', codeHash).executeTakeFirst()
  if (!code || code.clientId !== client.id) throw alreadyUsed()
  if (code.keyId !== null) {
    // It was used before: one of the two is not the app.
    await revokeKey(store, clock, { id: code.keyId })
    throw alreadyUsed()
  }
  if (code.expiresAt <= clock.now()) throw alreadyUsed()
  if (redirectUri !== undefined && redirectUri !== code.redirectUri)
    throw new OauthFailure('invalid_grant', 'redirect_uri is not the one of the authorization request.')
  if (!fits(verifier, code.challenge))
    throw new OauthFailure('invalid_grant', 'code_verifier does not fit the code_challenge.')
  return openGrant(parts, {
    client,
    accountId: code.accountId,
    buildings: JSON.parse(code.buildings),
    take: (keyId) =>
      db.updateTable('oauthCodes').set({ keyId }).where('hash', '=', codeHash).where('keyId', 'is', null),
    takenBy: (keyId) =>
      db
        .selectFrom('oauthCodes')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('hash', '=', codeHash)
        .where('keyId', '=', keyId),
  })
}

/** The challenge is the SHA-256 of the verifier; nothing else is accepted. */
function fits(verifier: string, challenge: string): boolean {
  const made = Buffer.from(hash('sha256', verifier, 'base64url'))
  const given = Buffer.from(challenge)
  return made.length === given.length && timingSafeEqual(made, given)
}
