import { MatterStanding } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { runningBridge } from '../../../house/buildings/matter-bridge.ts'
import { ofBuilding } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import { qrSvg } from './qr.ts'
import type { InBuilding } from './scope.ts'

export function appMatterRoutes(app: FastifyInstance, { store, clock }: HouseParts): void {
  app.get<InBuilding>(
    '/buildings/:buildingId/matter',
    {
      config: { actions: ['set_up'] },
      schema: {
        hide: true,
        summary: 'How a building stands in Matter',
        params: ofBuilding,
        response: { 200: MatterStanding },
      },
    },
    async ({ params: { buildingId } }): Promise<MatterStanding> => {
      const command = `hypocaust matter --building ${buildingId}`
      const bridge = await runningBridge(store, clock, buildingId)
      if (!bridge) return { command, bridge: null }
      const { controllers, manualCode, qrPayload } = bridge
      if (controllers > 0) return { command, bridge: { controllers, pairing: null } }
      const qr = await qrSvg(qrPayload)
      return { command, bridge: { controllers, pairing: { code: groupedCode(manualCode), qr } } }
    },
  )
}

/** As it is printed on devices: 4, 3 and 4 digits. */
const groupedCode = (code: string): string => code.replace(/^(\d{4})(\d{3})(\d{4})$/, '$1-$2-$3')
