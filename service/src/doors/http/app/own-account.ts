import { Readable } from 'node:stream'
import { AccountRemoval, PasswordProof } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { zipped } from '../../../base/zip.ts'
import { accountFiles } from '../../../people/accounts/archive.ts'
import type { AuthByOrigin } from '../../../people/accounts/auth-by-origin.ts'
import { goesWith, removeAccount } from '../../../people/accounts/remove.ts'
import { authOf, headersOf, passOn } from './access.ts'
import { wrongPassword } from './account.ts'
import { DONE, textOf } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import type { Throttle } from './throttle.ts'

/** Years of readings are read for it: a few of them take all that an account may ask for in a minute. */
const ARCHIVE_COST = 100

type OwnAccountParts = HouseParts & { auths: AuthByOrigin; throttle: Throttle }

/** What the law gives every person: a copy of everything, and its end. */
export function ownAccountRoutes(app: FastifyInstance, parts: OwnAccountParts): void {
  const { store, clock, auths, throttle } = parts

  app.get(
    '/account/archive',
    {
      config: { cost: ARCHIVE_COST },
      schema: {
        hide: true,
        summary: 'Everything of the account as one archive',
        response: textOf('application/zip', 'JSON and CSV files; times in UTC.'),
      },
    },
    ({ signedIn: { accountId, email } }, reply) =>
      reply
        .type('application/zip')
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="hypocaust.zip"')
        .send(Readable.from(zipped(accountFiles(parts, { id: accountId, email })))),
  )

  app.get(
    '/account/removal',
    {
      schema: {
        hide: true,
        summary: 'What would go with the account',
        response: { 200: AccountRemoval },
      },
    },
    ({ signedIn: { accountId } }) => goesWith(store, accountId),
  )

  app.post<{ Body: PasswordProof }>(
    '/account/removal',
    {
      schema: {
        hide: true,
        summary: 'Remove the account with everything of it, with the password once more',
        body: PasswordProof,
        response: DONE,
      },
    },
    (request, reply) =>
      throttle.guard(request, request.signedIn.email, async () => {
        const { api } = await authOf(request, auths)
        const { accountId: id, email } = request.signedIn
        const { password } = request.body
        const proof = api.verifyPassword({ body: { password }, headers: headersOf(request), returnHeaders: true })
        await passOn(reply, proof, wrongPassword)
        await removeAccount(store, clock, { id, email })
        return reply.code(204).send()
      }),
  )
}
