import { ShadowReport, WhatIfAnswer, WhatIfQuestion } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { errors } from '../../../base/errors.ts'
import { Replays } from '../../../house/replays/replays.ts'
import { shadowReport } from '../../../house/replays/shadow-report.ts'
import { whatIf } from '../../../house/replays/what-if.ts'
import { rateLimits } from '../common-limits.ts'
import { ofRoom } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import type { InRoom } from './scope.ts'

/** A minute, for each account: a replay takes seconds of a processor. */
const REPLAYS_A_MINUTE = 20

/** Rooms replayed on their own models: nothing of it is written. */
export function appReplayRoutes(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock, availability } = parts
  const limits = rateLimits('replays', { read: REPLAYS_A_MINUTE, write: REPLAYS_A_MINUTE }, store, clock)
  const replays = new Replays()
  const around = { store, availability, replays }
  app.addHook('onClose', () => replays.stop())

  const count = async (accountId: string) => {
    const { exceeded, resetS } = await limits.spend(accountId, 'read')
    if (exceeded) throw errors.rateLimited(resetS)
  }

  app.get<InRoom>(
    '/rooms/:roomId/shadow',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'What the heating control would have made of a room that is only watched',
        params: ofRoom,
        response: { 200: ShadowReport, 204: Type.Null({ description: 'The room is not only watched.' }) },
      },
    },
    async ({ signedIn, roomScope }, reply) => {
      await count(signedIn.accountId)
      return (await shadowReport(around, roomScope, clock.now())) ?? reply.code(204).send()
    },
  )

  app.post<InRoom & { Body: WhatIfQuestion }>(
    '/rooms/:roomId/what-if',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'What other settings would make of a room, in the coming week and in the last month',
        params: ofRoom,
        body: WhatIfQuestion,
        response: { 200: WhatIfAnswer },
      },
    },
    async ({ signedIn, roomScope, body }) => {
      await count(signedIn.accountId)
      return whatIf(around, roomScope, body, clock.now())
    },
  )
}
