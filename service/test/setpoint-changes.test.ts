import { timestampOf } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Heating } from '../src/house/heating/heating.ts'
import { raiseRevision } from '../src/house/revisions.ts'

describe.each(ENGINES)('a setpoint that changes by itself, on %s', (engine) => {
  const house = heatedWorld(engine)
  let world: World
  let heating: Heating

  beforeEach(async () => {
    ;({ world, heating } = house)
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 20.6 })
    await house.control()
  })

  const put = (path: string, body: unknown) => world.call('PUT', path, { key: world.holder.writeKey, body })
  const inMinutes = (minutes: number) => timestampOf(world.clock.now() + minutes * MINUTE_MS)

  /** Minutes in which the gateways report that they are there, and no sensor reports. */
  async function isControlledAfter(minutes: number): Promise<boolean> {
    world.clock.advance(minutes * MINUTE_MS)
    await world.gatewaysReport()
    await heating.controlQuiet()
    const { controlledAt } = await world.store.db
      .selectFrom('buildings')
      .select('controlledAt')
      .where('id', '=', world.holder.buildingId)
      .executeTakeFirstOrThrow()
    return controlledAt === world.clock.now()
  }

  test('the end of an override reaches the valve at once, without a reading', async () => {
    await put(`${world.bathroomPath}/override`, { target_temperature: 24, until: inMinutes(7) })
    await heating.settled()
    expect((await world.bathroom()).power).toBeGreaterThan(0.5)
    expect(await isControlledAfter(6)).toBe(false)
    expect(await isControlledAfter(1)).toBe(true)
    expect(await world.bathroom()).toMatchObject({ power: 0, hvac_action: 'idle' })
    expect(await isControlledAfter(1)).toBe(false)
  })

  test('so do both ends of an absence', async () => {
    await put(`${world.buildingPath}/away`, { from: inMinutes(5), until: inMinutes(12), target_temperature: 15 })
    await heating.settled()
    expect(await isControlledAfter(4)).toBe(false)
    expect(await isControlledAfter(1)).toBe(true)
    expect(await isControlledAfter(6)).toBe(false)
    expect(await isControlledAfter(1)).toBe(true)
  })

  test('is stored again only by a change that brings it forward', async () => {
    const stored = async () => {
      const { setpointsChangeAt } = await world.store.db
        .selectFrom('buildings')
        .select('setpointsChangeAt')
        .where('id', '=', world.holder.buildingId)
        .executeTakeFirstOrThrow()
      return setpointsChangeAt
    }
    const first = await stored()
    world.clock.advance(MINUTE_MS)
    await world.patch({ target_temperature: 21.5 })
    await heating.settled()
    expect(await stored()).toBe(first)
    const until = inMinutes(7)
    await put(`${world.bathroomPath}/override`, { target_temperature: 24, until })
    await heating.settled()
    expect(timestampOf(await stored())).toBe(until)
  })

  test('and each step of a programme', async () => {
    const { buildingId } = world.holder
    const at = (minutes: number) => inMinutes(minutes).slice(11, 16)
    const day = [
      { at: at(3), setback: 2 },
      { at: at(9), setback: 0 },
    ]
    const programme = {
      monday: day,
      tuesday: day,
      wednesday: day,
      thursday: day,
      friday: day,
      saturday: day,
      sunday: day,
    }
    await world.store.db
      .updateTable('rooms')
      .set({ programme: JSON.stringify(programme) })
      .where('id', '=', world.bathroomId)
      .execute()
    await world.store.db.updateTable('buildings').set({ timezone: 'UTC' }).where('id', '=', buildingId).execute()
    await world.store.batch([raiseRevision.with(world.store, { buildingId, nowMs: world.clock.now() })])
    await heating.control(buildingId)
    expect(await isControlledAfter(2)).toBe(false)
    expect(await isControlledAfter(1)).toBe(true)
    expect(await isControlledAfter(5)).toBe(false)
    expect(await isControlledAfter(1)).toBe(true)
  })
})
