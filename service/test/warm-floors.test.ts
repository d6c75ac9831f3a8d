import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeRoom } from '../src/house/rooms/manage.ts'
import { createKey } from '../src/people/keys/keys.ts'

const ALWAYS = [{ temperature: 26, from: '00:00', to: '00:00' }]

describe.each(ENGINES)('warm floors on %s', (engine) => {
  const house = heatedWorld(engine)
  let world: World

  beforeEach(() => {
    ;({ world } = house)
  })

  const change = (patch: Parameters<typeof changeRoom>[3]) =>
    changeRoom(world.store, world.clock, { buildingId: world.holder.buildingId, roomId: world.bathroomId }, patch)
  const read = async (what: 'explanation' | 'outlook') =>
    (await world.call('GET', `${world.bathroomPath}/${what}`, { key: world.holder.readKey })).json

  test('a room that is warm enough is heated for its floor, and says so', async () => {
    await change({ target_temperature: 20 })
    await house.live(30, 20.6)
    expect((await read('explanation')).warm_floor).toBeNull()
    await change({ minimum_floor_temperature: ALWAYS })
    await house.live(31, 20.6)
    const explanation = await read('explanation')
    expect(explanation).toMatchObject({ warm_floor: { temperature: 26 }, target_of: 'air' })
    expect(explanation.sentence).toContain('Keeping the floor at 26.0 °C until')
    expect(explanation.estimate.floor_error).toBeGreaterThan(0)
    expect(await read('outlook')).toMatchObject({ warm_floor: explanation.warm_floor, floor_measured: false })
    expect((await world.bathroom()).power).toBeGreaterThan(0)
  })

  test.each([
    [22, 'heating', true],
    [28, 'can_wait', false],
  ])(
    'a probe that is the only sensor of its room holds the floor at the target: at %i it is %s',
    async (floorC, activity, heating) => {
      await change({
        ...{ sensor_id: LIVING_ROOM_SENSOR, floor_sensor_id: LIVING_ROOM_SENSOR },
        ...{ target_of: 'floor', target_temperature: 26 },
      })
      for (let minute = 0; minute < 31; minute++) {
        world.clock.advance(MINUTE_MS)
        await world.gatewaysReport()
        await world.report(LIVING_ROOM_SENSOR, { temperatureC: floorC })
        await house.control()
      }
      expect(await read('explanation')).toMatchObject({ target_of: 'floor', basis: 'measured', activity })
      expect(await read('outlook')).toMatchObject({ target_of: 'floor', setpoint: 26, floor_measured: true, heating })
      expect(await world.bathroom()).toMatchObject({ target_temperature: 26, current_temperature: floorC })
    },
  )

  test('times are set and removed on the interface of the heating control, which names what is wrong', async () => {
    const { value: key } = await createKey(world.store, world.clock, {
      ...{ accountId: world.holder.accountId, name: 'k', permission: 'write', expiresAt: null, control: true },
    })
    const path = `/control${world.bathroomPath}/comfort`
    const set = (minimum_floor_temperature: unknown) =>
      world.call('PATCH', path, { key, body: { minimum_floor_temperature } })
    const times = [{ temperature: 24, from: '06:00', to: '08:00', days: ['saturday', 'sunday'] }]
    expect((await set(times)).json).toMatchObject({ minimum_floor_temperature: times, target_of: 'air' })
    const wrong = [
      [],
      [{ temperature: 50, from: '06:00', to: '08:00' }],
      [{ temperature: 24, from: '6', to: '08:00' }],
      [{ temperature: 24, from: '06:00', to: '08:00', days: ['someday'] }],
      [{ temperature: 24, from: '06:00' }],
    ]
    for (const each of wrong) {
      const { status, json } = await set(each)
      expect([status, json.error.code]).toEqual([400, 'invalid_value'])
      expect(json.error.message).toContain('minimum_floor_temperature')
    }
    expect((await set(null)).json.minimum_floor_temperature).toBeNull()
  })
})
