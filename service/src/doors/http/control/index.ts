import type { FastifyInstance } from 'fastify'
import { errors } from '../../../base/errors.ts'
import type { Availability } from '../../../house/buildings/buildings.ts'
import type { CallerKey } from '../../../people/keys/keys.ts'
import type { CalendarDoorParts } from '../calendars.ts'
import { tagAnswers } from '../etag.ts'
import type { RateLimits } from '../limits.ts'
import { CONTROL_PREFIX } from '../openapi.ts'
import type { Turns } from '../turns.ts'
import { chargeByAnswer, requireApiKey } from '../v1/access.ts'
import { calendarRoutes } from './calendars.ts'
import { type ComfortParts, comfortRoutes } from './comfort.ts'
import { coolingRoutes } from './cooling.ts'
import { flexibilityRoutes } from './flexibility.ts'
import { hotWaterRoutes } from './hot-water.ts'
import { describeControl } from './openapi.ts'
import { programmeRoutes } from './programme.ts'

interface ControlParts extends ComfortParts, CalendarDoorParts {
  availability: Availability
  version: string
}

/**
 * The settings of the heating control, which /v1 neither shows nor changes: in the same form, with the same keys and
 * limits, for keys whose holder chose that.
 */
export async function controlInterface(
  app: FastifyInstance,
  parts: ControlParts,
  limits: RateLimits,
  turns: Turns,
): Promise<void> {
  const { store, clock, version } = parts
  await app.register(
    async (control) => {
      const document = await describeControl(control, version)
      app.get('/control/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
        reply.type('application/json; charset=utf-8')
        return document()
      })
      requireApiKey(control, store, clock, limits, turns, requireControl)
      tagAnswers(control, chargeByAnswer(limits))
      programmeRoutes(control, parts)
      comfortRoutes(control, parts)
      coolingRoutes(control, parts)
      hotWaterRoutes(control, parts)
      flexibilityRoutes(control, parts)
      calendarRoutes(control, parts)
    },
    { prefix: CONTROL_PREFIX },
  )
}

function requireControl({ control }: CallerKey): void {
  if (control !== 1) throw errors.notOfControl()
}
