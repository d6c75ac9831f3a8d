import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, HOUSE, type Holder, LIVING_ROOM_SENSOR, settleHolder } from '@hypocaust/testing/houses.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextCommand } from '../src/house/gateways/commands.ts'
import { currentConfig } from '../src/house/gateways/config.ts'
import { gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { readInputs, stepInputsOf } from '../src/house/heating/inputs.ts'

const on = (gateway: string, channel: number) => [{ gateway, channel }]

const CASES = [
  { floors: 'a slab and a dry floor on one gateway', dryOn: 'cellar', slabAfterS: 10_800, dryAfterS: 10_800 },
  { floors: 'a slab and a dry floor on two gateways', dryOn: 'attic', slabAfterS: 10_800, dryAfterS: 2700 },
]

describe.each(ENGINES)('three windows without a command on %s', (engine) => {
  describe.each(CASES)('$floors', ({ dryOn, slabAfterS, dryAfterS }) => {
    let own: TestStore
    let holder: Holder
    const clock = new TestClock()

    beforeAll(async () => {
      own = await openTestStore(engine)
      holder = await settleHolder(own.store, clock, 'ada@example.org', {
        ...HOUSE,
        rooms: [
          { name: 'Slab', floor_type: 'slab', sensor: BATHROOM_SENSOR, valves: on('cellar', 1) },
          { name: 'Dry', floor_type: 'dry', sensor: LIVING_ROOM_SENSOR, valves: on(dryOn, 2) },
        ],
      })
    })
    afterAll(() => own.close())

    test('the command and the configuration of each gateway name the same time', async () => {
      for (const gateway of await gatewayValvesOf(own.store, holder.buildingId)) {
        if (gateway.valves.length === 0) continue
        const afterS = gateway.valves.some(({ floorType }) => floorType === 'slab') ? slabAfterS : dryAfterS
        expect(await currentConfig(own.store, gateway)).toMatchObject({ config: { fallback: { after_s: afterS } } })
        expect(await nextCommand(own.store, clock, gateway)).toMatchObject({ command: { valid_s: afterS } })
      }
    })

    test.each([
      { name: 'Slab', afterS: slabAfterS },
      { name: 'Dry', afterS: dryAfterS },
    ])('the law takes $name for heated by the fallback only once the gateway is', async ({ name, afterS }) => {
      const roomId = holder.roomIds[name === 'Slab' ? 0 : 1]
      await own.store.db.updateTable('rooms').set({ fallbackPower: 0.4 }).execute()
      const inputs = await readInputs(own.store, holder.buildingId, clock.now())
      const room = inputs?.rooms.find(({ id }) => id === roomId)
      if (!inputs || !room) throw new Error('no such room')
      const appliedAfter = (gapS: number) => {
        const state = { updatedMs: clock.now() - gapS * 1000 } as typeof room.state
        return stepInputsOf(inputs, { silentAfterS: 300 }, clock.now())({ ...room, state }).appliedPower
      }
      expect(appliedAfter(afterS)).toBeNull()
      expect(appliedAfter(afterS + 1)).toBe(0.4)
    })
  })
})
