import {
  AuthorizationDecision,
  AuthorizationLook,
  AuthorizationRequest,
  AuthorizationResult,
  ConnectedApp,
  DeviceDecision,
  DeviceLook,
  DeviceQuestion,
  type Permission,
} from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { errors } from '../../../base/errors.ts'
import { revokeKey } from '../../../people/keys/keys.ts'
import { answerTo, judged, leadsTo } from '../../../people/oauth/authorize.ts'
import type { OauthClient } from '../../../people/oauth/clients.ts'
import { newCode } from '../../../people/oauth/codes.ts'
import { decideOnDevice, findOnDevice } from '../../../people/oauth/devices.ts'
import { grantedApps } from '../../../people/oauth/granted-apps.ts'
import { type GrantedBuilding, type GrantParts, heldBuildings } from '../../../people/oauth/grants.ts'
import { rateLimits } from '../common-limits.ts'
import { DONE, idOf } from './answers.ts'

/** Codes of devices that one account may try in a minute. */
const TRIED_CODES = 10

/** What a person grants apps of third parties, and what was granted. */
export function oauthConsentRoutes(app: FastifyInstance, parts: GrantParts): void {
  authorizationRoutes(app, parts)
  deviceRoutes(app, parts)
  connectedAppRoutes(app, parts)
}

const askingApp = ({ name, isSelfRegistered }: OauthClient, permission: Permission) => ({
  name,
  is_verified: !isSelfRegistered,
  permission,
})

function authorizationRoutes(app: FastifyInstance, parts: GrantParts): void {
  const { store } = parts
  app.post<{ Body: AuthorizationRequest }>(
    '/authorization/look',
    {
      schema: {
        hide: true,
        summary: 'What an app asks for, or where to go if it cannot be granted',
        body: AuthorizationRequest,
        response: { 200: AuthorizationLook },
      },
    },
    async ({ body, issuer }) => {
      const found = await judged(store, body, issuer)
      if ('redirect' in found) return { question: null, redirect: found.redirect }
      const { client, permission, redirectUri } = found.asked
      return { question: { ...askingApp(client, permission), leads_to: leadsTo(redirectUri) }, redirect: null }
    },
  )

  app.post<{ Body: AuthorizationDecision }>(
    '/authorization',
    {
      schema: {
        hide: true,
        summary: 'Grant an app what it asks for, or less, or nothing',
        body: AuthorizationDecision,
        response: { 200: AuthorizationResult },
      },
    },
    async ({ body: { request, buildings }, issuer, signedIn: { accountId } }) => {
      const found = await judged(store, request, issuer)
      if ('redirect' in found) return found
      const { asked } = found
      if (buildings.length === 0)
        return { redirect: answerTo(asked, issuer, { error: 'access_denied', why: 'The person has refused.' }) }
      await requireGrantable(parts, accountId, buildings, asked.permission)
      const code = await newCode(parts, { ...asked, accountId, buildings })
      return { redirect: answerTo(asked, issuer, { code }) }
    },
  )
}

/** Nothing that the app has not asked for, and nothing that the person does not have. */
async function requireGrantable(
  { store, clock }: GrantParts,
  accountId: string,
  buildings: GrantedBuilding[],
  asked: Permission,
): Promise<void> {
  if (asked === 'read' && buildings.some(({ permission }) => permission === 'write'))
    throw errors.invalidValue('permission: the app asks to read only.')
  if (new Set(buildings.map(({ id }) => id)).size < buildings.length)
    throw errors.invalidValue('buildings: one of them is named twice.')
  const held = await heldBuildings(store, accountId, buildings, clock.now())
  const foreign = buildings.find(({ id }) => !held.some((each) => each.id === id))
  if (foreign) throw errors.noSuchBuilding(foreign.id)
}

function deviceRoutes(app: FastifyInstance, parts: GrantParts): void {
  const { store, clock } = parts
  const tries = rateLimits('oauth user codes', { read: 0, write: TRIED_CODES }, store, clock)
  /** Guessing a code would connect somebody else's device. */
  const find = async (accountId: string, userCode: string) => {
    const { exceeded, resetS } = await tries.spend(accountId, 'write')
    if (exceeded) throw errors.rateLimited(resetS)
    const found = await findOnDevice(store, userCode, clock.now())
    if (!found) throw errors.noSuchUserCode()
    return found
  }

  app.post<{ Body: DeviceLook }>(
    '/device/look',
    {
      schema: {
        hide: true,
        summary: 'Which app waits on a device with this code',
        body: DeviceLook,
        response: { 200: DeviceQuestion },
      },
    },
    async ({ body, signedIn: { accountId } }) => {
      const { client, permission } = await find(accountId, body.user_code)
      return askingApp(client, permission)
    },
  )

  app.post<{ Body: DeviceDecision }>(
    '/device',
    {
      schema: {
        hide: true,
        summary: 'Grant the app on a device what it asks for, or less, or nothing',
        body: DeviceDecision,
        response: DONE,
      },
    },
    async ({ body: { user_code: userCode, buildings }, signedIn: { accountId } }, reply) => {
      const { permission } = await find(accountId, userCode)
      await requireGrantable(parts, accountId, buildings, permission)
      if (!(await decideOnDevice(store, { userCode, accountId, buildings }, clock.now()))) throw errors.noSuchUserCode()
      return reply.code(204).send()
    },
  )
}

function connectedAppRoutes(app: FastifyInstance, { store, clock }: GrantParts): void {
  app.get(
    '/connected-apps',
    {
      schema: {
        hide: true,
        summary: 'List the apps that the account has granted access',
        response: { 200: Type.Array(ConnectedApp) },
      },
    },
    ({ signedIn }) => grantedApps(store, signedIn.accountId, clock.now()),
  )

  app.delete<{ Params: { grantId: string } }>(
    '/connected-apps/:grantId',
    {
      schema: {
        hide: true,
        summary: 'End the access of an app, at once',
        params: idOf('grantId', 'connected app'),
        response: DONE,
      },
    },
    async ({ signedIn: { accountId }, params: { grantId } }, reply) => {
      const own = (await grantedApps(store, accountId, clock.now())).some(({ id }) => id === grantId)
      if (!own) throw errors.noSuch('connected app', grantId)
      await revokeKey(store, clock, { id: grantId, accountId })
      return reply.code(204).send()
    },
  )
}
