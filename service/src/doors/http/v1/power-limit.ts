import type { PowerLimitPut } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import type { Availability } from '../../../house/buildings/buildings.ts'
import { putPowerLimit, storedPowerLimit } from '../../../house/buildings/power-limit.ts'
import { recordLimit } from '../../../house/flexibility/record.ts'
import { Replays } from '../../../house/replays/replays.ts'
import { type PowerLimitRow, powerLimitIn } from '../../../house/source/power-limit.ts'
import { buildingPartRoutes } from './building-part.ts'
import type { RoomParts } from './rooms.ts'

type PowerLimitParts = RoomParts & { availability: Availability }

export function powerLimitRoutes(app: FastifyInstance, parts: PowerLimitParts): void {
  const { store, clock } = parts
  const replays = new Replays()
  app.addHook('onClose', () => replays.stop())
  buildingPartRoutes<PowerLimitRow, PowerLimitPut>(app, parts, {
    path: 'power-limit',
    name: 'power limit',
    action: 'plan',
    schema: 'PowerLimit',
    putSchema: 'PowerLimitPut',
    get: {
      operationId: 'getPowerLimit',
      summary: 'The limit of the grid on the power of the heat source',
      description:
        'In force or to come, set through the interface or reported by a gateway; of several in force the strictest. Null when there is none.',
    },
    put: {
      operationId: 'putPowerLimit',
      summary: 'Limit the power of the heat source for a while',
      description:
        'The rooms are preheated until it begins, and share what is left by need while it lasts. Frost protection and manual power go before. Replaces a limit that was set before.',
    },
    delete: {
      operationId: 'deletePowerLimit',
      summary: 'Withdraw the power limit that was set',
      description:
        'Also cancels one to come. The answer is null, also when there was none. A limit that a gateway reports stays.',
    },
    stored: (buildingId) => storedPowerLimit(store, buildingId),
    shown: (stored) => powerLimitIn(stored, clock.now()),
    write: (buildingId, put, seen) => putPowerLimit(store, clock, buildingId, put, seen),
    // The limit holds whatever becomes of its record.
    written: (buildingId, log) =>
      recordLimit({ ...parts, replays }, buildingId).catch((err) =>
        log.warn({ err, building: buildingId }, 'what a power limit is to bring was not recorded'),
      ),
  })
}
