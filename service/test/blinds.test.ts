import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placeKey } from '../src/house/weather/weather.ts'
import { createKey } from '../src/people/keys/keys.ts'

const SOUTH = { sides: ['south'], above: 25 }

describe.each(ENGINES)('blinds on %s', (engine) => {
  let world: World
  let key: string
  beforeAll(async () => {
    world = await openWorld(engine)
    const { accountId } = world.holder
    const made = { accountId, name: 'blinds', permission: 'write' as const, expiresAt: null, control: true }
    key = (await createKey(world.store, world.clock, made)).value
  })
  afterAll(() => world.close())

  const patch = (blinds: unknown) =>
    world.call('PATCH', `/control${world.bathroomPath}/comfort`, { key, body: { blinds } })
  const advice = async () => (await world.get(`${world.bathroomPath}/outlook`)).json.blinds

  /** Hot days, with sun from nine to three. */
  async function sunnyDays(): Promise<void> {
    const { db } = world.store
    const building = db.selectFrom('buildings').select(['lat', 'lng']).where('id', '=', world.holder.buildingId)
    const place = placeKey(await building.executeTakeFirstOrThrow())
    const startMs = world.clock.now() - (world.clock.now() % HOUR_MS)
    const hourly = Array.from({ length: 60 }, (_, h) => {
      const hour = (startMs / HOUR_MS + h) % 24
      return { outdoorC: 27, cloudPct: 0, windMs: 2, solarWm2: hour >= 9 && hour < 15 ? 700 : 0 }
    })
    const made = { place, forecast: JSON.stringify({ startMs, hourly }), dueAt: startMs, updatedAt: startMs }
    await db.insertInto('forecasts').values(made).execute()
  }

  async function live(): Promise<void> {
    const heating = heatingOf(world)
    for (let minute = 0; minute < 40; minute += 5) {
      world.clock.advance(5 * MINUTE_MS)
      await world.gatewaysReport()
      await world.report(BATHROOM_SENSOR, { temperatureC: 24.5 })
      await heating.control(world.holder.buildingId)
    }
    await heating.stop()
  }

  test('of a room are told to be closed by the outlook, also while it is off; without blinds nothing is said', async () => {
    await sunnyDays()
    expect((await world.patch({ hvac_mode: 'off' })).status).toBe(200)
    await live()
    expect(await advice()).toBeNull()
    const { status, json } = await patch(SOUTH)
    expect([status, json.blinds]).toEqual([200, SOUTH])
    await live()
    const said = await advice()
    expect(said).toMatchObject({ sides: ['south'] })
    expect(said.expected).toBeGreaterThan(25)
    expect(said.expected_closed).toBeLessThan(said.expected)
    expect(Date.parse(said.close_at)).toBeGreaterThanOrEqual(world.clock.now() - 40 * MINUTE_MS)
    expect(Date.parse(said.open_at)).toBeGreaterThan(Date.parse(said.close_at))
    expect((await world.get(`${world.buildingPath}/state`)).json.outlooks[world.bathroomId].blinds).toEqual(said)
    expect((await patch(null)).status).toBe(200)
    await live()
    expect(await advice()).toBeNull()
  })

  test.each([
    ['no side', { sides: [], above: 25 }],
    ['a side twice', { sides: ['south', 'south'], above: 25 }],
    ['an unknown side', { sides: ['north'], above: 25 }],
    ['a temperature that is none for blinds', { sides: ['south'], above: 12 }],
    ['nothing but a temperature', { above: 25 }],
  ])('are refused with %s', async (_, blinds) => {
    const { status, json } = await patch(blinds)
    expect([status, json.error.code]).toEqual([400, expect.stringMatching(/^invalid_/)])
    expect(json.error.message).toContain('blinds')
  })
})
