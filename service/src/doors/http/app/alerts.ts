import { AppAlert, PastAlert, Snooze } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import type { Availability } from '../../../house/buildings/buildings.ts'
import { alertsOf } from '../../../people/alerts/alerts.ts'
import { pastAlertsOf, snooze } from '../../../people/alerts/past.ts'
import type { Store } from '../../../store/store.ts'
import { DONE, idOf } from './answers.ts'

interface AlertParts {
  store: Store
  clock: Clock
  availability: Availability
}

export function alertRoutes(app: FastifyInstance, { store, clock, availability }: AlertParts): void {
  app.get(
    '/alerts',
    { schema: { hide: true, summary: 'List what needs attention', response: { 200: Type.Array(AppAlert) } } },
    (request) => alertsOf(store, request.signedIn, availability, clock.now()),
  )

  app.get(
    '/alerts/past',
    { schema: { hide: true, summary: 'List alerts that are over', response: { 200: Type.Array(PastAlert) } } },
    (request) => pastAlertsOf(store, request.signedIn.accountId, clock.now()),
  )

  app.put<{ Params: { alertId: string }; Body: Snooze }>(
    '/alerts/:alertId/snooze',
    {
      config: { actions: ['alerts'] },
      schema: {
        hide: true,
        summary: 'Keep an open alert out of the way until a time, or no longer',
        params: idOf('alertId', 'alert'),
        body: Snooze,
        response: DONE,
      },
    },
    async ({ params: { alertId: id }, body }, reply) => {
      const untilMs = body.until === null ? null : Date.parse(body.until)
      if (!(await snooze(store, { id, untilMs }))) throw errors.noSuch('alert', id)
      return reply.code(204).send()
    },
  )
}
