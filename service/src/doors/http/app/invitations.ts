import {
  AcceptedInvitation,
  CreatedInvitation,
  InvitationEntry,
  InvitationLook,
  InvitationSecret,
  NewInvitation,
} from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import Type from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import type { Quotas } from '../../../base/quotas.ts'
import {
  acceptOrClaim,
  confirmClaim,
  findInvitation,
  invite,
  lookAtInvitation,
  noteMailed,
  openInvitationsOf,
  withdrawInvitation,
} from '../../../people/members/invitations.ts'
import { invitationLetter } from '../../../people/notify/mail/letters.ts'
import type { Mailer } from '../../../people/notify/mail/mailer.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'
import { DONE, idOf, ofBuilding } from './answers.ts'
import { qrSvg } from './qr.ts'
import type { InBuilding } from './scope.ts'
import { siteOf } from './site.ts'

interface InvitationParts {
  store: Store
  clock: Clock
  logger: Logger
  publicUrl: string | undefined
  mailer: Mailer | undefined
  /** Left out, an account may have as much as it likes. */
  quotas?: Quotas
}

interface InInvitation {
  Params: { buildingId: string; invitationId: string }
}

const ofInvitation = Type.Object({ ...ofBuilding.properties, ...idOf('invitationId', 'invitation').properties })

const MAIL_WINDOW_S = 60 * 60
/** Letters of one person within an hour: nobody's mailbox is flooded from here. */
const MAILS_OF_ONE_PERSON = 20

/** For owners; and acceptance, for any account. */
export function invitationRoutes(app: FastifyInstance, parts: InvitationParts): void {
  listRoute(app, parts)
  inviteRoute(app, parts)
  withdrawRoute(app, parts)
  confirmRoute(app, parts)
  acceptRoute(app, parts)
}

function listRoute(app: FastifyInstance, { store, clock }: InvitationParts): void {
  app.get<InBuilding>(
    '/buildings/:buildingId/invitations',
    {
      config: { actions: ['members'] },
      schema: {
        hide: true,
        summary: 'List the open invitations of a building',
        params: ofBuilding,
        response: { 200: Type.Array(InvitationEntry) },
      },
    },
    ({ params: { buildingId } }) => openInvitationsOf(store, buildingId, clock.now()),
  )
}

function inviteRoute(app: FastifyInstance, parts: InvitationParts): void {
  const { store, clock, publicUrl } = parts
  const mail = letterBox(parts)
  app.post<InBuilding & { Body: NewInvitation }>(
    '/buildings/:buildingId/invitations',
    {
      config: { actions: ['members'] },
      schema: {
        hide: true,
        summary: 'Invite a person, or hand the building over; the link is returned only once',
        params: ofBuilding,
        body: NewInvitation,
        response: { 200: CreatedInvitation },
      },
    },
    async (request) => {
      const { buildingId } = request.params
      const scope = { buildingId, accountId: request.signedIn.accountId }
      const site = siteOf(request, publicUrl)
      const { entry, secret } = await invite(store, clock, scope, request.body)
      // The secret stands behind #: a browser sends that part to nobody.
      const link = `${site}/invitation#${secret}`
      const isMailed = entry.email !== null && (await mail(request, entry.email, link))
      if (!isMailed) return { ...entry, link, qr: await qrSvg(link), is_mailed: false }
      await noteMailed(store, entry.id)
      return { ...entry, link: null, qr: null, is_mailed: true }
    },
  )
}

/** Sends an invitation by mail, and resolves to whether it was sent; the link works all the same. */
function letterBox({ store, clock, logger, mailer }: InvitationParts) {
  const mails = rateLimits('invitations by', { read: 0, write: MAILS_OF_ONE_PERSON }, store, clock, MAIL_WINDOW_S)

  return async ({ signedIn, body }: FastifyRequest<{ Body: NewInvitation }>, to: string, link: string) => {
    if (!mailer || (await mails.spend(signedIn.accountId, 'write')).exceeded) return false
    try {
      const letter = invitationLetter(body.language ?? 'en', { link, from: signedIn.email })
      await mailer.send(to, letter, crypto.randomUUID())
      return true
    } catch (err) {
      logger.warn({ err }, 'an invitation could not be sent by mail')
      return false
    }
  }
}

function withdrawRoute(app: FastifyInstance, { store, clock }: InvitationParts): void {
  app.delete<InInvitation>(
    '/buildings/:buildingId/invitations/:invitationId',
    {
      config: { actions: ['members'] },
      schema: { hide: true, summary: 'Withdraw an invitation', params: ofInvitation, response: DONE },
    },
    async ({ params: { buildingId, invitationId } }, reply) => {
      if (!(await withdrawInvitation(store, clock, buildingId, invitationId)))
        throw errors.noSuch('invitation', invitationId)
      return reply.code(204).send()
    },
  )
}

function confirmRoute(app: FastifyInstance, { store, clock, quotas }: InvitationParts): void {
  app.post<InInvitation>(
    '/buildings/:buildingId/invitations/:invitationId/confirmation',
    {
      config: { actions: ['members'] },
      schema: {
        hide: true,
        summary: 'Confirm that the new account which has the link is the person invited',
        params: ofInvitation,
        response: DONE,
      },
    },
    async ({ params: { buildingId, invitationId } }, reply) => {
      await confirmClaim(store, clock, buildingId, invitationId, quotas)
      return reply.code(204).send()
    },
  )
}

function acceptRoute(app: FastifyInstance, { store, clock, quotas }: InvitationParts): void {
  app.post<{ Body: InvitationSecret }>(
    '/invitations/acceptance',
    {
      schema: {
        hide: true,
        summary: 'Accept an invitation, once',
        body: InvitationSecret,
        response: { 200: AcceptedInvitation },
      },
    },
    async ({ signedIn, body }) => {
      const invitation = await findInvitation(store, body.secret, clock.now())
      if ((await acceptOrClaim(store, clock.now(), invitation, signedIn, quotas)) === 'claimed')
        throw errors.awaitsConfirmation()
      return { building_id: invitation.buildingId }
    },
  )
}

/** Open without a session: a person sees what it is about before signing in. */
export function openInvitationRoute(
  app: FastifyInstance,
  { store, clock }: Pick<InvitationParts, 'store' | 'clock'>,
): void {
  app.post<{ Body: InvitationSecret }>(
    '/invitations/look',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'What an invitation is for',
        body: InvitationSecret,
        response: { 200: InvitationLook },
      },
    },
    ({ body }) => lookAtInvitation(store, body.secret, clock.now()),
  )
}
