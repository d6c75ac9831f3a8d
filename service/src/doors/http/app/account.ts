import {
  NameChange,
  PasskeyAnswer,
  type PasskeyAnswer as PasskeyAnswerBody,
  PasskeyEntry,
  PasswordChange,
  PasswordProof,
  SecondFactor,
  SessionEntry,
  SignInResult,
  TotpSetUp,
  timestampOf,
} from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { errors } from '../../../base/errors.ts'
import { renameAccount } from '../../../people/accounts/accounts.ts'
import type { AuthByOrigin } from '../../../people/accounts/auth-by-origin.ts'
import { forgetVerificationsOf } from '../../../people/accounts/verifications.ts'
import type { Store } from '../../../store/store.ts'
import { authOf, headersOf, passkeyAuthOf, passOn } from './access.ts'
import { DONE, idOf, PasskeyOptions, wrongCode } from './answers.ts'
import type { KnownDevices } from './known-devices.ts'
import { qrSvg } from './qr.ts'
import type { Throttle } from './throttle.ts'
import type { UsedCodes } from './used-codes.ts'

interface AccountParts {
  store: Store
  auths: AuthByOrigin
  throttle: Throttle
  codes: UsedCodes
}

const withHeaders = (request: FastifyRequest) => ({ headers: headersOf(request), returnHeaders: true as const })
export const wrongPassword = () => errors.wrongCredentials('The password is wrong.')

/** What a holder does to the own account. */
export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  nameRoutes(app, parts)
  sessionRoutes(app, parts)
  passwordRoutes(app, parts)
  totpRoutes(app, parts)
  passkeyRoutes(app, parts)
}

function nameRoutes(app: FastifyInstance, { store }: AccountParts): void {
  app.put<{ Body: NameChange }>(
    '/name',
    { schema: { hide: true, summary: 'Change what the person is called', body: NameChange, response: DONE } },
    async ({ signedIn, body }, reply) => {
      await renameAccount(store, signedIn.accountId, body.name)
      return reply.code(204).send()
    },
  )
}

function sessionRoutes(app: FastifyInstance, { auths }: AccountParts): void {
  app.get(
    '/sessions',
    {
      schema: { hide: true, summary: 'List the sessions of the account', response: { 200: Type.Array(SessionEntry) } },
    },
    async (request, reply) => {
      const sessions = await passOn(reply, (await authOf(request, auths)).api.listSessions(withHeaders(request)))
      return sessions
        .map((session) => ({
          id: session.id,
          is_current: session.id === request.signedIn.sessionId,
          user_agent: session.userAgent ?? null,
          address: session.ipAddress ?? null,
          signed_in: timestampOf(session.createdAt.getTime()),
          last_used: timestampOf(session.updatedAt.getTime()),
        }))
        .sort((a, b) => Number(b.is_current) - Number(a.is_current) || b.last_used.localeCompare(a.last_used))
    },
  )

  app.delete<{ Params: { sessionId: string } }>(
    '/sessions/:sessionId',
    { schema: { hide: true, summary: 'End a session', params: idOf('sessionId', 'session'), response: DONE } },
    async (request, reply) => {
      const { api } = await authOf(request, auths)
      const sessions = await passOn(reply, api.listSessions(withHeaders(request)))
      const session = sessions.find(({ id }) => id === request.params.sessionId)
      if (!session) throw errors.noSuch('session', request.params.sessionId)
      await passOn(reply, api.revokeSession({ body: { token: session.token }, ...withHeaders(request) }))
      return reply.code(204).send()
    },
  )

  app.delete(
    '/sessions',
    { schema: { hide: true, summary: 'Sign out everywhere', response: DONE } },
    async (request, reply) => {
      const { api } = await authOf(request, auths)
      await passOn(reply, api.revokeSessions(withHeaders(request)))
      await passOn(reply, api.signOut(withHeaders(request)))
      return reply.code(204).send()
    },
  )
}

function passwordRoutes(app: FastifyInstance, { store, auths, throttle }: AccountParts): void {
  app.put<{ Body: PasswordChange }>(
    '/password',
    {
      schema: { hide: true, summary: 'Change the password; other sessions end', body: PasswordChange, response: DONE },
    },
    (request, reply) =>
      throttle.guard(request, request.signedIn.email, async () => {
        const { current: currentPassword, next: newPassword } = request.body
        const body = { currentPassword, newPassword, revokeOtherSessions: true }
        await passOn(
          reply,
          (await authOf(request, auths)).api.changePassword({ body, ...withHeaders(request) }),
          wrongPassword,
        )
        await forgetVerificationsOf(store, request.signedIn.accountId)
        return reply.code(204).send()
      }),
  )
}

function totpRoutes(app: FastifyInstance, { auths, throttle, codes }: AccountParts): void {
  app.post<{ Body: PasswordProof }>(
    '/totp',
    {
      schema: { hide: true, summary: 'Begin with a second factor', body: PasswordProof, response: { 200: TotpSetUp } },
    },
    (request, reply) =>
      throttle.guard(request, request.signedIn.email, async () => {
        const { api } = await authOf(request, auths)
        const body = { password: request.body.password, method: 'totp' as const }
        const enabled = await passOn(reply, api.enableTwoFactor({ body, ...withHeaders(request) }), wrongPassword)
        if (enabled.method !== 'totp') throw errors.internal()
        const qr = await qrSvg(enabled.totpURI)
        return { uri: enabled.totpURI, qr, backup_codes: enabled.backupCodes }
      }),
  )

  app.post<{ Body: SecondFactor }>(
    '/totp/confirm',
    {
      schema: {
        hide: true,
        summary: 'Switch the second factor on with its first code',
        body: SecondFactor,
        response: { 200: SignInResult },
      },
    },
    (request, reply) =>
      throttle.guard(request, request.signedIn.email, async () => {
        const { api } = await authOf(request, auths)
        const body = { code: request.body.code.trim() }
        await passOn(reply, api.verifyTOTP({ body, ...withHeaders(request) }), wrongCode)
        await codes.isFirstUse(request.signedIn.accountId, body.code)
        return { next: 'signed_in' as const }
      }),
  )

  app.post<{ Body: PasswordProof }>(
    '/totp/disable',
    { schema: { hide: true, summary: 'Switch the second factor off', body: PasswordProof, response: DONE } },
    (request, reply) =>
      throttle.guard(request, request.signedIn.email, async () => {
        const { api } = await authOf(request, auths)
        await passOn(reply, api.disableTwoFactor({ body: request.body, ...withHeaders(request) }), wrongPassword)
        return reply.code(204).send()
      }),
  )
}

const refused = () => errors.wrongCredentials('The passkey was not accepted.')

function passkeyRoutes(app: FastifyInstance, { auths, throttle }: AccountParts): void {
  app.get(
    '/passkeys',
    {
      schema: { hide: true, summary: 'List the passkeys of the account', response: { 200: Type.Array(PasskeyEntry) } },
    },
    async (request, reply) => {
      const passkeys = await passOn(reply, (await authOf(request, auths)).api.listPasskeys(withHeaders(request)))
      return passkeys.map(({ id, name, createdAt }) => ({
        id,
        name: name ?? null,
        created: createdAt ? timestampOf(new Date(createdAt).getTime()) : null,
      }))
    },
  )

  app.post<{ Body: PasswordProof }>(
    '/passkeys/options',
    {
      schema: {
        hide: true,
        summary: 'Begin to add a passkey, with the password once more',
        body: PasswordProof,
        response: { 200: PasskeyOptions },
      },
    },
    (request, reply) =>
      throttle.guard(request, request.signedIn.email, async () => {
        const { api } = await passkeyAuthOf(request, auths)
        const { password } = request.body
        await passOn(reply, api.verifyPassword({ body: { password }, ...withHeaders(request) }), wrongPassword)
        return passOn(reply, api.generatePasskeyRegistrationOptions(withHeaders(request)), refused)
      }),
  )

  app.post<{ Body: PasskeyAnswerBody }>(
    '/passkeys',
    { schema: { hide: true, summary: 'Add the passkey the browser has made', body: PasskeyAnswer, response: DONE } },
    async (request, reply) => {
      const { api } = await passkeyAuthOf(request, auths)
      await passOn(reply, api.verifyPasskeyRegistration({ body: request.body, ...withHeaders(request) }), refused)
      return reply.code(204).send()
    },
  )

  app.delete<{ Params: { passkeyId: string } }>(
    '/passkeys/:passkeyId',
    { schema: { hide: true, summary: 'Remove a passkey', params: idOf('passkeyId', 'passkey'), response: DONE } },
    async (request, reply) => {
      const { api } = await authOf(request, auths)
      const id = request.params.passkeyId
      const unknown = () => errors.noSuch('passkey', id)
      await passOn(reply, api.deletePasskey({ body: { id }, ...withHeaders(request) }), unknown)
      return reply.code(204).send()
    },
  )
}

/** Signing in with a passkey: open without a session. */
export function passkeySignInRoutes(
  app: FastifyInstance,
  { auths, throttle, devices }: Pick<AccountParts, 'auths' | 'throttle'> & { devices: KnownDevices },
): void {
  app.post(
    '/session/passkey/options',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Begin to sign in with a passkey',
        response: { 200: PasskeyOptions },
      },
    },
    async (request, reply) => {
      await throttle.count(request)
      const { api } = await passkeyAuthOf(request, auths)
      const options = await passOn(reply, api.generatePasskeyAuthenticationOptions(withHeaders(request)), refused)
      // The library asks for a preference here; `createAuth` refuses what was not verified.
      return { ...options, userVerification: 'required' }
    },
  )

  app.post<{ Body: PasskeyAnswerBody }>(
    '/session/passkey',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Sign in with a passkey',
        body: PasskeyAnswer,
        response: { 200: SignInResult },
      },
    },
    (request, reply) =>
      throttle.guard(request, null, async () => {
        const { api } = await passkeyAuthOf(request, auths)
        // The library checks its form itself.
        const body = request.body as unknown as NonNullable<
          Parameters<typeof api.verifyPasskeyAuthentication>[0]
        >['body']
        const { user } = await passOn(
          reply,
          api.verifyPasskeyAuthentication({ body, ...withHeaders(request) }),
          refused,
        )
        devices.remember(reply, user.email)
        return { next: 'signed_in' as const }
      }),
  )
}
