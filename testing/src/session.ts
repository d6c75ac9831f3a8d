import { createHmac } from 'node:crypto'
import { createAuth } from '../../service/src/people/accounts/auth.ts'
import type { Store } from '../../service/src/store/store.ts'

/** Of a session that the sign-in library starts, without the time it takes to check a password. */
export async function sessionCookie(
  store: Store,
  secret: string,
  origin: string,
  email: string,
): Promise<{ name: string; value: string }> {
  const { internalAdapter, authCookies } = await createAuth(store, { secret, origin }).$context
  const found = await internalAdapter.findUserByEmail(email)
  if (!found) throw new Error(`there is no account ${email}`)
  const device = { userAgent: 'Firefox', ipAddress: '127.0.0.1' }
  const { token } = await internalAdapter.createSession(found.user.id, false, device)
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return { name: authCookies.sessionToken.name, value: encodeURIComponent(`${token}.${signature}`) }
}
