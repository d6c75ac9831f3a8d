import { MINUTE_MS } from '@hypocaust/domain'
import { alertStage, HOUR } from '@hypocaust/testing/alert-stage.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

const COOLS = { lock: null, supply_c: 19, cooling: { reported: null, supply_c: 19, dew_contact: false } }
const KIND = 'cooling_left_on'

describe.each(ENGINES)('a building that is left in the season of cooling on %s', (engine) => {
  const stage = alertStage(engine)
  const { subjects, shown, lookNow, tellAll } = stage
  let world: World
  beforeAll(() => {
    ;({ world } = stage)
  })

  beforeEach(async () => {
    const { db } = world.store
    await db.deleteFrom('controlStates').execute()
    await db
      .updateTable('gateways')
      .set({ sourceReport: JSON.stringify(COOLS) })
      .execute()
    await db.updateTable('rooms').set({ coolingTargetC: null, manualEnabled: 0, manualPower: 0, targetC: 21 }).execute()
    await choose('cooling')
  })

  const choose = (season: 'heating' | 'cooling' | 'automatic') => {
    const cooling = { season, changeover: { by: 'outdoor', cooling_above: 20, heating_below: 16 } }
    return world.store.db
      .updateTable('buildings')
      .set({ cooling: JSON.stringify(cooling), coolingState: null })
      .execute()
  }
  const setBathroom = (columns: { coolingTargetC?: number; manualEnabled?: 0 | 1 }) =>
    world.store.db.updateTable('rooms').set(columns).where('id', '=', world.bathroomId).execute()

  /** Readings of both rooms and the real control, with a look every five minutes. */
  async function live(minutes: number, bathroomC: number, livingRoomC = 21): Promise<void> {
    const heating = heatingOf(world)
    for (let minute = 0; minute < minutes; minute += 5) {
      world.clock.advance(5 * MINUTE_MS)
      await world.gatewaysReport()
      await world.report(BATHROOM_SENSOR, { temperatureC: bathroomC, humidityPct: 50 })
      await world.report(LIVING_ROOM_SENSOR, { temperatureC: livingRoomC, humidityPct: 50 })
      await heating.control(world.holder.buildingId)
      await lookNow()
      await tellAll()
    }
    await heating.stop()
  }
  const about = () => subjects().filter((subject) => subject.includes('cooling') || subject.includes('too cold'))
  const isShown = async () => (await shown()).some((each) => each.startsWith(KIND))

  test('a room that has been too cold for an hour is reported to the owner', async () => {
    await live(HOUR - 10, 18.4, 19)
    expect(await isShown()).toBe(false)
    await live(20, 18.4, 19)
    expect(await shown()).toEqual([`${KIND} Bathroom`])
    expect(about()).toEqual(['Lakeside 12: still set to cooling, and Bathroom is at 18.4°'])
    expect(stage.mail.received[0]?.text).toContain('Choose Heating or Automatic under Cooling')
  })

  test('of several rooms the coldest is named', async () => {
    await live(HOUR + 10, 18.4, 17.9)
    expect(await shown()).toEqual([`${KIND} Living room`])
  })

  test('it ends once the room is warm again', async () => {
    await live(HOUR + 10, 18.4)
    await live(30, 19.9)
    expect(await isShown()).toBe(true)
    await live(HOUR, 20.8)
    expect(await isShown()).toBe(false)
    expect(about().at(-1)).toBe('Lakeside 12: no room is too cold any more')
  })

  test.each(['heating', 'automatic'] as const)('it ends when the season is set to %s', async (season) => {
    await live(HOUR + 10, 18.4)
    expect(await isShown()).toBe(true)
    await choose(season)
    await live(5, 18.4)
    expect(await isShown()).toBe(false)
    expect(about()).toHaveLength(1)
  })

  test('less than a kelvin below the band is not worth a word', async () => {
    await live(2 * HOUR, 19.7)
    expect(await isShown()).toBe(false)
  })

  test.each([
    { cooledTo: 18, airC: 17.8, holds: false },
    { cooledTo: 18, airC: 16.2, holds: true },
    { cooledTo: 25, airC: 21, holds: false },
    { cooledTo: 25, airC: 19, holds: true },
  ])(
    'a room that is cooled is too cold only below both of its bands: to $cooledTo° at $airC°, $holds',
    async ({ cooledTo, airC, holds }) => {
      await setBathroom({ coolingTargetC: cooledTo })
      await live(HOUR + 10, airC)
      expect(await isShown()).toBe(holds)
    },
  )

  test('a room under manual power has no band', async () => {
    await setBathroom({ manualEnabled: 1 })
    await live(2 * HOUR, 17)
    expect(await isShown()).toBe(false)
  })

  test('while the season changes by itself nothing is reported', async () => {
    await choose('automatic')
    await live(2 * HOUR, 18.4)
    expect(await isShown()).toBe(false)
  })
})
