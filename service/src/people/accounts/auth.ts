import { passkey } from '@better-auth/passkey'
import { DAY_S, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@hypocaust/domain'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins'
import type { Store } from '../../store/store.ts'
import { ADDRESS_HEADER, REVOKE_KEYS_HEADER } from './address-header.ts'
import { removePasskeys } from './passkeys.ts'
import { noteFailure, throwingFailures } from './swallowed.ts'
import { forgetVerificationsOf } from './verifications.ts'

const RESET_VALID_S = 3600

export type Auth = ReturnType<typeof createAuth>

export interface Forgotten {
  email: string
  token: string
  accountId: string
  /** As the page said it, where the account has chosen none. */
  language: string | null
}

export interface AuthOptions {
  secret: string
  origin: string
  /** After a reset through a link; whether keys are to end too is what the page asked. */
  onReset?: (accountId: string, revokeKeys: boolean) => Promise<void>
  /** Left out, a password is reset at the machine alone. */
  onForgotten?: (forgotten: Forgotten) => void
}

/** better-auth for one origin: it decides whether cookies are `Secure`, and which site a passkey belongs to. */
export function createAuth(store: Store, { secret, origin, onForgotten, onReset }: AuthOptions) {
  const auth = betterAuth({
    appName: 'Hypocaust',
    // better-auth spells its columns its own way, so it gets the database without our spelling rules.
    database: { db: store.db.withoutPlugins(), type: store.engine },
    secret,
    baseURL: origin,
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      resetPasswordTokenExpiresIn: RESET_VALID_S,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }, request) => {
        // A previous user of the account may have added one.
        await removePasskeys(store, user.id)
        // An earlier letter may be in a mailbox that others read.
        await forgetVerificationsOf(store, user.id)
        await onReset?.(user.id, request?.headers.has(REVOKE_KEYS_HEADER) === true)
      },
      ...(onForgotten && {
        // Its `url` is made from the request's host; only the token is used.
        sendResetPassword: async ({ user, token }, request) =>
          onForgotten({
            email: user.email,
            token,
            accountId: user.id,
            language: request?.headers.get('accept-language') ?? null,
          }),
      }),
    },
    // A reader of the database finds no link that still works.
    verification: { storeIdentifier: { default: 'plain', overrides: { 'reset-password': 'hashed' } } },
    session: { expiresIn: 30 * DAY_S, updateAge: DAY_S, freshAge: 0 },
    advanced: {
      cookiePrefix: 'hypocaust',
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    plugins: [twoFactor({ issuer: 'Hypocaust' }), verifiedPasskey(origin)],
    // Sign-in is throttled where the request arrives.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...details) => noteFailure(message, ...details) },
  })
  return { ...auth, api: throwingFailures(auth.api) }
}

/** A passkey opens the account without the second factor, so its authenticator must have verified the person. */
const verifiedPasskey = (origin: string) =>
  passkey({
    rpName: 'Hypocaust',
    origin,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => requireVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => requireVerified(verification.authenticationInfo.userVerified),
    },
  })

function requireVerified(isVerified: boolean | undefined): undefined {
  if (isVerified !== true)
    throw new APIError('UNAUTHORIZED', { message: 'The authenticator has not verified the person.' })
}
