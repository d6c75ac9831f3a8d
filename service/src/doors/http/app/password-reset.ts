import { ForgottenPassword, NewPassword } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { networkOf } from '../../../base/network.ts'
import { REVOKE_KEYS_HEADER } from '../../../people/accounts/address-header.ts'
import type { AuthByOrigin } from '../../../people/accounts/auth-by-origin.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'
import type { RateLimits } from '../limits.ts'
import { authOf, headersOf, passOn } from './access.ts'
import { DONE } from './answers.ts'
import type { Throttle } from './throttle.ts'

interface PasswordResetParts {
  store: Store
  auths: AuthByOrigin
  throttle: Throttle
  clock: Clock
  /** Only where there is a mail server. */
  isPossible: boolean
}

const WINDOW_S = 15 * 60
/** Letters in a window to one address, and asked for by one caller: nobody's mailbox is flooded from here. */
const TO_ONE_ADDRESS = 3
const BY_ONE_CALLER = 20

const tooOld = () => errors.wrongCredentials('The link is used, or too old.')

/** A new password through a link in a mail; open without a session. */
export function passwordResetRoutes(app: FastifyInstance, parts: PasswordResetParts): void {
  const { store, auths, throttle, clock, isPossible } = parts
  const addresses = rateLimits('letters to', { read: 0, write: TO_ONE_ADDRESS }, store, clock, WINDOW_S)
  const callers = rateLimits('letters by', { read: 0, write: BY_ONE_CALLER }, store, clock, WINDOW_S)

  // The answer is the same whether there is such an account or not.
  app.post<{ Body: ForgottenPassword }>(
    '/password/forgotten',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Ask for a link to a new password by mail; the answer is the same for every address',
        body: ForgottenPassword,
        response: DONE,
      },
    },
    async (request, reply) => {
      if (!isPossible) throw errors.noSuchPath(request.url)
      const { language } = request.body
      const email = request.body.email.trim().toLowerCase()
      const budgets: [RateLimits, string][] = [
        [callers, networkOf(request.ip)],
        [addresses, email],
      ]
      for (const [limits, key] of budgets) {
        const { exceeded, resetS } = await limits.spend(key, 'write')
        if (exceeded) throw errors.rateLimited(resetS)
      }
      const { api } = await authOf(request, auths)
      const asked = new Request('http://localhost', { headers: { 'accept-language': language } })
      await passOn(reply, api.requestPasswordReset({ body: { email }, request: asked, returnHeaders: true })).catch(
        (error) => {
          // Not in the form of an address: no account has it.
          if (error.code !== 'wrong_credentials') throw error
        },
      )
      return reply.code(204).send()
    },
  )

  app.post<{ Body: NewPassword }>(
    '/password/reset',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Set a new password with what the link holds, once; all sessions end',
        body: NewPassword,
        response: DONE,
      },
    },
    (request, reply) =>
      throttle.guard(request, null, async () => {
        const { token, password: newPassword, revoke_keys: revokeKeys } = request.body
        const { api } = await authOf(request, auths)
        const asked = new Request('http://localhost', { headers: revokeKeys ? { [REVOKE_KEYS_HEADER]: '1' } : {} })
        const call = {
          body: { token, newPassword },
          request: asked,
          asResponse: false as const,
          headers: headersOf(request),
          returnHeaders: true as const,
        }
        await passOn(reply, api.resetPassword(call), tooOld)
        return reply.code(204).send()
      }),
  )
}
