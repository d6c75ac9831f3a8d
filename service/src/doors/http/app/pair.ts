import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { networkOf } from '../../../base/network.ts'
import { exchangePairingCode } from '../../../house/gateways/pairing.ts'
import type { Store } from '../../../store/store.ts'
import { rateLimits } from '../common-limits.ts'

const PairRequest = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 32, description: 'As printed when the gateway was added.' }) },
  { additionalProperties: false },
)

const PairResponse = Type.Object({
  gateway_id: Type.String(),
  token: Type.String(),
  gateway: Type.String(),
  building: Type.String(),
  file: Type.Optional(Type.String({ description: 'gateway.yaml as the box before had it, without secrets.' })),
  mqtt: Type.Object({ host: Type.Optional(Type.String()), port: Type.Integer(), tls: Type.Boolean() }),
})

export interface PairParts {
  store: Store
  clock: Clock
  /** `host` where the broker is not where the service is. */
  mqttAddress(): { host?: string; port: number; tls: boolean }
}

/** Attempts a minute from one address: a code has 31^8 forms and lives a quarter of an hour. */
const ATTEMPTS = 30

/** Open to anyone who has a code; the code is the key. */
export function pairRoute(app: FastifyInstance, { store, clock, mqttAddress }: PairParts): void {
  const attempts = rateLimits('pairing', { read: 0, write: ATTEMPTS }, store, clock)
  app.post<{ Body: Static<typeof PairRequest> }>(
    '/app/gateways/pair',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'Exchange a pairing code for a gateway’s identity',
        body: PairRequest,
        response: { 200: PairResponse },
      },
      onRequest: async (request) => {
        const { exceeded, resetS } = await attempts.spend(networkOf(request.ip), 'write')
        if (exceeded) throw errors.rateLimited(resetS)
      },
    },
    async (request) => {
      const paired = await exchangePairingCode(store, clock, request.body.code)
      if (!paired) throw errors.noSuchPairingCode()
      const { id, token, name, building, file } = paired
      const identity = { gateway_id: id, token, gateway: name, building }
      return { ...identity, ...(file !== null && { file }), mqtt: mqttAddress() }
    },
  )
}
