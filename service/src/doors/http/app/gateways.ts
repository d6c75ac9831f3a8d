import { GatewayEntry, NewGateway, Pairing, timestampOf } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { errors } from '../../../base/errors.ts'
import { otherAgentOf, relaysOf } from '../../../house/gateways/conditions.ts'
import { addGateway, removeGateway } from '../../../house/gateways/gateways.ts'
import { pairingCommand, pairingLink } from '../../../house/gateways/invitation.ts'
import { createPairingCode, PAIRING_VALID_S } from '../../../house/gateways/pairing.ts'
import { thisMachine } from '../../tls/names.ts'
import { originOf } from './access.ts'
import { DONE, idOf, ofBuilding } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import { addressForGateway, type Reach } from './gateway-address.ts'
import { qrSvg } from './qr.ts'
import type { InBuilding } from './scope.ts'

const ofGateway = idOf('gatewayId', 'gateway')

interface InGateway {
  Params: { gatewayId: string }
}

type GatewayParts = HouseParts & Pick<Reach, 'publicUrl'>

export function appGatewayRoutes(app: FastifyInstance, parts: GatewayParts): void {
  listRoute(app, parts)
  addRoute(app, parts)
  pairRoute(app, parts)
  removeRoute(app, parts)
}

function listRoute(app: FastifyInstance, { store, clock }: GatewayParts): void {
  app.get<InBuilding>(
    '/buildings/:buildingId/gateways',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'List the gateways of a building',
        params: ofBuilding,
        response: { 200: Type.Array(GatewayEntry) },
      },
    },
    async ({ params }) => {
      const rows = await store.db
        .selectFrom('gateways')
        .select(['id', 'name', 'lastSeenAt', 'version', 'channels', 'tokenHash', 'relayReport'])
        .select(['otherAgent', 'otherAgentAt'])
        .where('buildingId', '=', params.buildingId)
        .orderBy('id')
        .execute()
      return rows.map(({ lastSeenAt, tokenHash, relayReport, otherAgent, otherAgentAt, ...row }) => ({
        ...row,
        last_seen: lastSeenAt === null ? null : timestampOf(lastSeenAt),
        is_paired: tokenHash !== '',
        other_agent: otherAgentOf({ relayReport, otherAgent, otherAgentAt }, clock.now()),
        relays: relaysOf({ relayReport }).map(({ channel, state, auto_off, held = null }) => ({
          channel,
          state,
          auto_off,
          held,
        })),
      }))
    },
  )
}

function addRoute(app: FastifyInstance, parts: GatewayParts): void {
  const { store, clock, onBuildingChanged, quotas } = parts
  app.post<InBuilding & { Body: NewGateway }>(
    '/buildings/:buildingId/gateways',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'Add a gateway, and a code to pair it with',
        params: ofBuilding,
        body: NewGateway,
        response: { 200: Pairing },
      },
    },
    async (request) => {
      const { buildingId } = request.params
      const name = request.body.name.trim()
      const added = await addGateway(store, clock, { buildingId, name }, quotas)
      if (added.kind === 'no_building') throw errors.noSuchBuilding(buildingId)
      if (added.kind === 'taken') throw errors.taken(`The building already has a gateway called ${name}.`)
      onBuildingChanged(buildingId)
      return pairing(parts, request, added.id)
    },
  )
}

function pairRoute(app: FastifyInstance, parts: GatewayParts): void {
  app.post<InGateway>(
    '/gateways/:gatewayId/pairing',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'A new code to pair a gateway with',
        params: ofGateway,
        response: { 200: Pairing },
      },
    },
    (request) => pairing(parts, request, request.params.gatewayId),
  )
}

function removeRoute(app: FastifyInstance, { store, clock }: GatewayParts): void {
  app.delete<InGateway>(
    '/gateways/:gatewayId',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'Remove a gateway; its token stops working at once',
        params: ofGateway,
        response: DONE,
      },
    },
    async (request, reply) => {
      await removeGateway(store, clock, request.params.gatewayId)
      return reply.code(204).send()
    },
  )
}

async function pairing(parts: GatewayParts, request: FastifyRequest, gatewayId: string): Promise<Pairing> {
  const { store, clock, authorityFingerprint: authority, listensOn, publicUrl } = parts
  const code = await createPairingCode(store, clock, gatewayId)
  const { addresses } = thisMachine()
  const service = addressForGateway(originOf(request), { publicUrl, listensOn, addresses })
  const invitation = { service, code, ...(authority && { authority }) }
  return {
    gateway_id: gatewayId,
    code,
    expires_at: timestampOf(clock.now() + PAIRING_VALID_S * 1000),
    command: pairingCommand(invitation),
    qr: await qrSvg(pairingLink(invitation)),
  }
}
