import { DAY_MS } from '@hypocaust/domain'
import { openStore } from '@hypocaust/service'
import { VirtualHouse } from '@hypocaust/simulator'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { expect, test } from 'vitest'
import { housePlan } from '../src/demo/house.ts'
import { recordDays } from '../src/demo/record.ts'
import { furnish } from '../src/demo/secrets.ts'
import { liveUntil } from '../src/demo/warm-up.ts'

const LAW_DAYS = 4

test('the heat of each day that the demo has lived under the control is counted, but of the day it began', async () => {
  const folder = temporaryFolder()
  const store = await openStore(folder.path)
  const { buildingId } = await furnish(store, folder.path, false)
  const untilMs = Date.UTC(2026, 0, 20, 14)
  const house = new VirtualHouse(housePlan(untilMs - (LAW_DAYS + 1) * DAY_MS))
  await recordDays(
    store,
    buildingId,
    liveUntil(house, untilMs, () => undefined, null, LAW_DAYS),
    0,
  )
  const rows = await store.db
    .selectFrom('roomHeat')
    .innerJoin('rooms', 'rooms.id', 'roomHeat.roomId')
    .select(['rooms.name', 'rooms.heatCounterKwh', 'day', 'kwhM2', 'countedKwh'])
    .orderBy('day')
    .execute()
  const kitchen = rows.filter(({ name }) => name === 'Kitchen')
  expect(kitchen.map(({ day }) => day)).toEqual(['2026-01-17', '2026-01-18', '2026-01-19', '2026-01-20'])
  expect(Math.min(...kitchen.map(({ kwhM2 }) => kwhM2))).toBeGreaterThan(0)
  const sumKwh = kitchen.reduce((sum, { countedKwh }) => sum + (countedKwh ?? 0), 0)
  expect(kitchen[0]?.heatCounterKwh).toBeCloseTo(sumKwh)
  expect(new Set(rows.map(({ name }) => name)).size).toBe(6)
  await store.close()
  folder.remove()
})
