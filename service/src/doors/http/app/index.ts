import type { InstalledAs, WeatherSource } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { NO_QUOTAS } from '../../../base/quotas.ts'
import { keysAfterReset } from '../../../people/accounts/accounts.ts'
import { AuthByOrigin } from '../../../people/accounts/auth-by-origin.ts'
import { resetMail } from '../../../people/accounts/reset-mail.ts'
import type { Mailer } from '../../../people/notify/mail/mailer.ts'
import { publicNetwork } from '../../../people/notify/push/network.ts'
import { contactOf, type PushParts, PushSender } from '../../../people/notify/push/sender.ts'
import { type WebhookNetwork, webhookNetwork } from '../../../people/webhooks/network.ts'
import { WebhookSender } from '../../../people/webhooks/sender.ts'
import { LatestRelease } from '../../latest-release.ts'
import { keepCookiesUnderBasePath } from '../base-path.ts'
import type { CalendarDoorParts } from '../calendars.ts'
import { compressLargeAnswers } from '../compress.ts'
import { tagAnswers } from '../etag.ts'
import type { Turns } from '../turns.ts'
import { refuseForeignOrigins, requireSession, shareFairly } from './access.ts'
import { accountRoutes, passkeySignInRoutes } from './account.ts'
import { alertRoutes } from './alerts.ts'
import { appBuildingRoutes, type HouseParts } from './buildings.ts'
import { appCalendarRoutes, openProgrammeRoute } from './calendars.ts'
import { changeLogRoutes } from './change-log.ts'
import { appEnergyRoutes } from './energy.ts'
import { type EventParts, eventRoutes, type SessionChecks } from './events.ts'
import { appFeedbackRoutes } from './feedback.ts'
import { appGatewayRoutes } from './gateways.ts'
import { appHouseReportRoutes } from './house-report.ts'
import { invitationRoutes, openInvitationRoute } from './invitations.ts'
import { appKeyRoutes } from './keys.ts'
import { KnownDevices } from './known-devices.ts'
import { appLoopRoutes } from './loops.ts'
import { appMatterRoutes } from './matter.ts'
import { appMemberRoutes } from './members.ts'
import { noticeRoutes } from './notices.ts'
import { type NotificationParts, notificationRoutes } from './notifications.ts'
import { oauthConsentRoutes } from './oauth.ts'
import { appOutlookRoutes } from './outlooks.ts'
import { appOverrideRoutes } from './overrides.ts'
import { ownAccountRoutes } from './own-account.ts'
import { passwordResetRoutes } from './password-reset.ts'
import { releaseRoute } from './release.ts'
import { appReplayRoutes } from './replays.ts'
import { reportRoutes } from './report.ts'
import { appRoomRoutes } from './rooms.ts'
import { requireMembership } from './scope.ts'
import { appScreedRoutes } from './screed.ts'
import { type SignInParts, signInRoutes } from './sign-in.ts'
import { Throttle } from './throttle.ts'
import { townRoutes } from './towns.ts'
import { UsedCodes } from './used-codes.ts'
import { weatherRoutes } from './weather.ts'
import { webhookRoutes } from './webhooks.ts'

export interface WebsiteParts {
  /** Signs the session cookies. */
  authSecret: string
  openSignUp: boolean
  /** Whether apps of third parties may register themselves. */
  oauthRegistration: boolean
  /** The address people use, where the operator has named it. */
  publicUrl?: string
  weatherSource: WeatherSource['source']
  /** Where a program beside the service reports what has failed. */
  noticesFile?: string
  /** Describes the latest release; left out, nobody is asked. */
  releaseFeed?: string
  installedAs: InstalledAs
  /** The built pages. */
  folder: string
  /** Left out, nothing is sent by mail. */
  mailer?: Mailer
  /** Left out, the push services of the internet. */
  push?: Omit<PushParts, 'store'>
  /** Left out, public addresses only. */
  webhookNetwork?: WebhookNetwork
}

/** What the routes of the website need of the service. */
type AppRouteParts = HouseParts &
  CalendarDoorParts &
  Pick<SignInParts, 'version'> &
  Pick<NotificationParts, 'logger'> &
  Pick<EventParts, 'news'> & { turns: Turns }

/** The website's own interface: a session cookie opens it, an API key does not. */
export async function appRoutes(app: FastifyInstance, parts: AppRouteParts, website: WebsiteParts): Promise<void> {
  const { store, logger } = parts
  const { authSecret: secret, mailer } = website
  const onReset = async (accountId: string, revokeKeys: boolean) => {
    await keysAfterReset(store, parts.clock, accountId, revokeKeys)
  }
  const onForgotten = mailer && resetMail(store, mailer, logger)
  const auths = new AuthByOrigin(store, { secret, onReset, ...(onForgotten && { onForgotten }) })
  const devices = new KnownDevices(secret)
  const codes = new UsedCodes(store, parts.clock)
  const throttle = new Throttle(store, parts.clock, devices.isKnown)
  const reach = website.push ?? { network: publicNetwork(), contact: contactOf(mailer?.publicUrl) }
  const publicHost = website.publicUrl === undefined ? undefined : new URL(website.publicUrl).hostname
  const streams: SessionChecks = new Set()
  refuseForeignOrigins(app)
  // Pages of a session that has just ended here are not to wait for the next look.
  app.addHook('onResponse', async ({ method, url }, { statusCode }) => {
    if (statusCode === 204 && method !== 'GET' && /^\/app\/(?:sessions?|password|account)\b/.test(url))
      for (const check of streams) check()
  })
  keepCookiesUnderBasePath(app)
  tagAnswers(app, { notModified: () => undefined, modified: () => undefined })
  compressLargeAnswers(app)
  signInRoutes(app, {
    ...parts,
    auths,
    throttle,
    devices,
    codes,
    openSignUp: website.openSignUp,
    publicHost,
    resetByMail: mailer !== undefined,
  })
  passwordResetRoutes(app, { ...parts, auths, throttle, isPossible: mailer !== undefined })
  openInvitationRoute(app, parts)
  openProgrammeRoute(app, parts)
  passkeySignInRoutes(app, { auths, throttle, devices })
  await app.register(async (inside) => {
    requireSession(inside, auths)
    shareFairly(inside, store, parts.clock, parts.turns)
    requireMembership(inside, store, parts.clock)
    accountRoutes(inside, { store, auths, throttle, codes })
    ownAccountRoutes(inside, { ...parts, auths, throttle })
    appBuildingRoutes(inside, parts)
    alertRoutes(inside, parts)
    appRoomRoutes(inside, parts)
    appEnergyRoutes(inside, parts)
    appOverrideRoutes(inside, parts)
    appFeedbackRoutes(inside, parts)
    appOutlookRoutes(inside, parts)
    appReplayRoutes(inside, parts)
    appHouseReportRoutes(inside, parts)
    appCalendarRoutes(inside, { ...parts, publicUrl: website.publicUrl })
    appGatewayRoutes(inside, { ...parts, publicUrl: website.publicUrl })
    appLoopRoutes(inside, parts)
    appScreedRoutes(inside, { ...parts, authSecret: secret })
    appKeyRoutes(inside, parts)
    oauthConsentRoutes(inside, { quotas: NO_QUOTAS, ...parts })
    appMemberRoutes(inside, parts)
    changeLogRoutes(inside, parts)
    reportRoutes(inside, parts)
    invitationRoutes(inside, { ...parts, publicUrl: website.publicUrl, mailer })
    weatherRoutes(inside, website.weatherSource)
    townRoutes(inside, website.folder)
    noticeRoutes(inside, website.noticesFile)
    const { version, clock } = parts
    const feed = website.releaseFeed
    const latest = new LatestRelease({ version, clock, logger, ...(feed !== undefined && { feed }) })
    releaseRoute(inside, latest, website.installedAs)
    appMatterRoutes(inside, parts)
    notificationRoutes(inside, { ...parts, mailer, push: new PushSender({ store, ...reach }) })
    const network = website.webhookNetwork ?? webhookNetwork({ privateAddresses: false })
    webhookRoutes(inside, { ...parts, webhooks: new WebhookSender({ network, authSecret: secret }) })
    eventRoutes(inside, { ...parts, auths, streams })
  })
}
