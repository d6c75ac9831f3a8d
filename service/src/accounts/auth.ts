import { passkey } from '@better-auth/passkey'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@hypocaust/domain'
import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import type { Store } from '../store/store.ts'
import { ADDRESS_HEADER } from './address-header.ts'

const DAY_S = 86_400

export type Auth = ReturnType<typeof createAuth>

/** better-auth for one origin: it decides whether cookies are `Secure`, and which site a passkey belongs to. */
export function createAuth(store: Store, { secret, origin }: { secret: string; origin: string }) {
  return betterAuth({
    appName: 'Hypocaust',
    // better-auth spells its columns its own way, so it gets the database without our spelling rules.
    database: { db: store.db.withoutPlugins(), type: store.engine },
    secret,
    baseURL: origin,
    emailAndPassword: { enabled: true, minPasswordLength: MIN_PASSWORD_LENGTH, maxPasswordLength: MAX_PASSWORD_LENGTH },
    session: { expiresIn: 30 * DAY_S, updateAge: DAY_S, freshAge: 0 },
    advanced: {
      cookiePrefix: 'hypocaust',
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    plugins: [twoFactor({ issuer: 'Hypocaust' }), passkey({ rpName: 'Hypocaust', origin })],
    // Sign-in is throttled where the request arrives.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  })
}
