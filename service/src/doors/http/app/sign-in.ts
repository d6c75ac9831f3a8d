import {
  NewAccount,
  type NewAccount as NewAccountBody,
  SecondFactor,
  type SecondFactor as SecondFactorBody,
  SessionState,
  SignIn,
  SignInResult,
} from '@hypocaust/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Compilable } from 'kysely'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import type { Quotas } from '../../../base/quotas.ts'
import { movedAway } from '../../../house/buildings/moved.ts'
import { type Account, createAccount, endSession, hasAccounts, isEmail } from '../../../people/accounts/accounts.ts'
import type { AuthByOrigin } from '../../../people/accounts/auth-by-origin.ts'
import { lockedUntilMs } from '../../../people/accounts/second-factor-lock.ts'
import { acceptOrClaim, findInvitation } from '../../../people/members/invitations.ts'
import type { Store } from '../../../store/store.ts'
import { authOf, headersOf, passOn, sessionOf } from './access.ts'
import { DONE, wrongCode } from './answers.ts'
import type { KnownDevices } from './known-devices.ts'
import { requireOwnName } from './own-name.ts'
import type { Throttle } from './throttle.ts'
import type { UsedCodes } from './used-codes.ts'

export interface SignInParts {
  store: Store
  clock: Clock
  auths: AuthByOrigin
  throttle: Throttle
  devices: KnownDevices
  codes: UsedCodes
  openSignUp: boolean
  publicHost: string | undefined
  resetByMail: boolean
  version: string
  /** Left out, an account may have as much as it likes. */
  quotas?: Quotas
}

const LOCKED = 429

/** Signing in and out: open without a session. */
export function signInRoutes(app: FastifyInstance, parts: SignInParts): void {
  sessionRoute(app, parts)
  passwordRoute(app, parts)
  secondFactorRoute(app, parts)
  signUpRoute(app, parts)
  signOutRoute(app, parts)
}

async function signUp({ store, openSignUp }: SignInParts): Promise<SessionState['sign_up']> {
  if (!(await hasAccounts(store))) return 'owner'
  return openSignUp ? 'open' : 'closed'
}

async function signIn(
  { auths, devices }: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  body: SignIn,
): Promise<SignInResult> {
  const { api } = await authOf(request, auths)
  const result = await passOn(reply, api.signInEmail({ body, headers: headersOf(request), returnHeaders: true }))
  if (!('twoFactorRedirect' in result)) devices.remember(reply, body.email)
  return { next: 'twoFactorRedirect' in result ? 'second_factor' : 'signed_in' }
}

function sessionRoute(app: FastifyInstance, parts: SignInParts): void {
  const { store, clock, auths, resetByMail, version } = parts
  app.get(
    '/session',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Who is signed in, and whether an account can be created',
        response: { 200: SessionState },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      const signedIn = await sessionOf(request, reply, auths)
      const account = signedIn && {
        id: signedIn.accountId,
        email: signedIn.email,
        name: signedIn.name,
        two_factor: signedIn.twoFactor,
      }
      const moved = signedIn && (await movedAway(store, { accountId: signedIn.accountId, nowMs: clock.now() }))
      return {
        ...{ account: account ?? null, sign_up: await signUp(parts), reset_by_mail: resetByMail, version },
        moved_to: moved?.url ?? null,
      }
    },
  )
}

function passwordRoute(app: FastifyInstance, parts: SignInParts): void {
  app.post<{ Body: SignIn }>(
    '/session',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Sign in with a password',
        body: SignIn,
        response: { 200: SignInResult },
      },
    },
    (request, reply) => {
      const { email } = request.body
      if (!isEmail(email)) throw errors.wrongCredentials()
      return parts.throttle.guard(request, email, () => signIn(parts, request, reply, request.body))
    },
  )
}

function secondFactorRoute(app: FastifyInstance, { store, auths, throttle, devices, codes }: SignInParts): void {
  /** Its right code is no wrong one: the owner is to know why it does not open. */
  const refusalOf = (request: FastifyRequest) => async (status: number) => {
    const untilMs = status === LOCKED ? await lockedUntilMs(store, request.headers.cookie) : undefined
    // The lock goes by the machine's own clock, as the library does.
    return untilMs === undefined ? wrongCode() : errors.secondFactorLocked(untilMs, Date.now())
  }

  app.post<{ Body: SecondFactorBody }>(
    '/session/code',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Finish signing in with the second factor',
        body: SecondFactor,
        response: { 200: SignInResult },
      },
    },
    (request, reply) =>
      throttle.guard(request, null, async () => {
        const { api } = await authOf(request, auths)
        const code = request.body.code.trim()
        const call = { body: { code }, headers: headersOf(request), returnHeaders: true as const }
        const verifyOnce = async () => {
          const verified = await api.verifyTOTP(call)
          const { token, user } = verified.response
          if (await codes.isFirstUse(user.id, code)) return verified
          await endSession(store, token)
          throw errors.wrongCredentials('This code has already been used. Wait for the next one.')
        }
        const verifying = /^\d{6}$/.test(code) ? verifyOnce() : api.verifyBackupCode(call)
        const { user } = await passOn<{ user: { email: string } }>(reply, verifying, refusalOf(request))
        devices.remember(reply, user.email)
        return { next: 'signed_in' as const }
      }),
  )
}

function signUpRoute(app: FastifyInstance, parts: SignInParts): void {
  const { store, clock, throttle, publicHost, quotas } = parts
  app.post<{ Body: NewAccountBody }>(
    '/accounts',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Create an account, where that is open or with an invitation, and sign in',
        body: NewAccount,
        response: { 200: SignInResult },
      },
    },
    (request, reply) =>
      throttle.guard(request, null, async () => {
        const { email, password, invitation: secret } = request.body
        const open = await signUp(parts)
        if (open === 'closed' && secret === undefined) throw errors.signUpClosed()
        if (open === 'owner') requireOwnName(request, publicHost)
        const nowMs = clock.now()
        const invitation = secret === undefined ? undefined : await findInvitation(store, secret, nowMs)
        // In one transaction with the account: an invitation that was used meanwhile lets nobody in.
        const accept =
          invitation &&
          (({ id, email }: Account, rows: Compilable[]) =>
            acceptOrClaim(store, nowMs, invitation, { accountId: id, email }, quotas, rows))
        const created = await createAccount(store, email, password, accept)
        if (created.kind === 'taken') throw errors.taken(`There is already an account ${email}.`)
        if (created.kind === 'refused') throw errors.invalidValue(created.why)
        return signIn(parts, request, reply, { email, password })
      }),
  )
}

function signOutRoute(app: FastifyInstance, { auths }: SignInParts): void {
  app.delete(
    '/session',
    { schema: { hide: true, security: [], summary: 'Sign out', response: DONE } },
    async (request, reply) => {
      await passOn(
        reply,
        (await authOf(request, auths)).api.signOut({ headers: headersOf(request), returnHeaders: true }),
      )
      return reply.code(204).send()
    },
  )
}
