import { HOUR_MS, timestampOf } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const MONDAY = [
  { at: '05:30', setback: 0 },
  { at: '08:00', setback: 2 },
  { at: '16:30', setback: 0 },
  { at: '22:30', setback: 3 },
]

describe.each(ENGINES)('programme, override and absence on the website, on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await ada.call('DELETE', `${buildingPath()}/override`)
    await ada.call('PATCH', buildingPath(), { away: null })
    for (const id of world.holder.roomIds)
      await ada.call('PATCH', `/app/rooms/${id}`, { programme: null, night_mode: null })
  })

  const roomPath = () => `/app/rooms/${world.bathroomId}`
  const buildingPath = () => `/app/buildings/${world.holder.buildingId}`
  const building = async () => (await ada.call('GET', '/app/buildings')).json[0]
  const bathroom = async () => (await building()).rooms[0]
  const inHours = (hours: number) => timestampOf(world.clock.now() + hours * HOUR_MS)

  // It is Saturday, 2026-01-10, 09:15 in Oslo.
  test('a programme is written, read, shown as the schedule, and takes the place of a night mode', async () => {
    await ada.call('PATCH', roomPath(), { night_mode: { from: '22:00', to: '06:00', setback: 2 } })
    const programme = { monday: MONDAY, friday: [{ at: '17:00', setback: 1 }] }
    expect((await ada.call('PATCH', roomPath(), { programme })).json).toMatchObject({
      programme,
      night_mode: null,
      schedule: {
        setpoint: 19,
        reason: 'programme',
        until: '2026-01-12T04:30:00.000Z',
        next: { at: '2026-01-12T04:30:00.000Z', setpoint: 20 },
      },
    })
    const night = { from: '22:00', to: '06:00', setback: 2 }
    expect((await ada.call('PATCH', roomPath(), { night_mode: night })).json).toMatchObject({
      programme: null,
      night_mode: night,
    })
  })

  test('a programme that contradicts itself is refused by the field', async () => {
    const answer = await ada.call('PATCH', roomPath(), { programme: { monday: [MONDAY[1], MONDAY[0]] } })
    expect(answer.json.error).toEqual({
      code: 'invalid_value',
      message: 'programme.monday.1.at must be later than the step before it.',
    })
    expect((await ada.call('PATCH', roomPath(), { programme: { moonday: [] } })).json.error.code).toBe('unknown_field')
  })

  test('a programme is copied to other rooms', async () => {
    const programme = { monday: MONDAY }
    const other = world.holder.roomIds[1] ?? ''
    await ada.call('PATCH', roomPath(), { programme })
    expect((await ada.call('POST', `${roomPath()}/programme/copies`, { room_ids: [other] })).status).toBe(204)
    expect((await building()).rooms[1].programme).toEqual(programme)
    const foreign = world.stranger.roomIds[0] ?? ''
    expect((await ada.call('POST', `${roomPath()}/programme/copies`, { room_ids: [foreign] })).status).toBe(404)
  })

  test('an override ends after hours, at a time, or at the next step, and “End now” ends it', async () => {
    const put = async (body: object) => (await ada.call('PUT', `${roomPath()}/override`, body)).json
    expect(await put({ boost: 2, hours: 1 })).toMatchObject({
      override: { target_temperature: 22, until: inHours(1) },
      schedule: { setpoint: 22, reason: 'override' },
    })
    expect(await put({ power: 0.5, hours: 2 })).toMatchObject({
      override: { power: 0.5, until: inHours(2) },
      schedule: { reason: 'manual', until: inHours(2) },
    })
    expect((await put({ hvac_mode: 'off', next_step: true })).error.message).toMatch(/next_step/)
    await ada.call('PATCH', roomPath(), {
      programme: {
        sunday: [
          { at: '07:00', setback: 0 },
          { at: '21:00', setback: 2 },
        ],
      },
    })
    expect(await put({ hvac_mode: 'off', next_step: true })).toMatchObject({
      override: { hvac_mode: 'off', until: '2026-01-11T06:00:00.000Z' },
      schedule: { reason: 'off', until: '2026-01-11T06:00:00.000Z' },
    })
    expect((await ada.call('DELETE', `${roomPath()}/override`)).json).toMatchObject({ override: null })
    expect((await put({ boost: 2, power: 1, hours: 1 })).error.message).toMatch(/Exactly one of target_temperature/)
    expect((await put({ boost: 2 })).error.message).toMatch(/Exactly one of until/)
  })

  test('the whole house is overridden at once, each room by its own target', async () => {
    await ada.call('PATCH', `/app/rooms/${world.holder.roomIds[1]}`, { target_temperature: 18 })
    const answer = await ada.call('PUT', `${buildingPath()}/override`, { boost: 2, hours: 1 })
    expect(answer.json.rooms.map((room: { schedule: { setpoint: number } }) => room.schedule.setpoint)).toEqual([
      22, 20,
    ])
    const ended = await ada.call('DELETE', `${buildingPath()}/override`)
    expect(ended.json.rooms.map((room: { override: unknown }) => room.override)).toEqual([null, null])
  })

  test('an absence may begin later and concern some rooms only', async () => {
    const away = { from: inHours(2), until: inHours(50), temperature: 15, room_ids: [world.bathroomId] }
    expect((await ada.call('PATCH', buildingPath(), { away })).json).toMatchObject({
      away,
      rooms: [{ schedule: { next: { at: away.from, setpoint: 15 } } }, { schedule: { next: null } }],
    })
    expect(
      (await ada.call('PATCH', buildingPath(), { away: { until: inHours(5), temperature: 15 } })).json,
    ).toMatchObject({
      away: { from: inHours(0), room_ids: null },
      rooms: [{ schedule: { setpoint: 15, reason: 'away' } }, { schedule: { setpoint: 15 } }],
    })
    expect((await ada.call('PATCH', buildingPath(), { away: null })).json.away).toBeNull()
  })

  test('the outlook names the warm-up, and a preview says from when a floor would be heated', async () => {
    expect((await ada.call('GET', `${roomPath()}/warm-up?at=06:30&from=19.5&to=22`)).status).toBe(204)
    await ada.call('PATCH', roomPath(), {
      target_temperature: 22,
      area_m2: 8,
      programme: { sunday: [{ at: '06:30', setback: 0 }], saturday: [{ at: '00:00', setback: 2.5 }] },
    })
    const heating = heatingOf(world)
    for (let minute = 0; minute < 30; minute++) {
      world.clock.advance(MINUTE_MS)
      await world.gatewaysReport()
      await world.report(BATHROOM_SENSOR, { temperatureC: 19.6 })
      await heating.control(world.holder.buildingId)
    }
    await heating.settled()
    const outlook = (await ada.call('GET', `${roomPath()}/outlook`)).json
    expect(outlook).toMatchObject({ setpoint: 19.5, reason: 'programme', reach: 'reached', why_not: null })
    expect(outlook.warm_up).toMatchObject({ at: '2026-01-11T05:30:00.000Z', setpoint: 22 })
    expect(outlook.warm_up.expected).toBe(outlook.next_expected)
    const preview = (await ada.call('GET', `${roomPath()}/warm-up?at=06:30&from=19.5&to=22`)).json
    expect(preview).toMatchObject({ at: '2026-01-11T05:30:00.000Z', setpoint: 22 })
    for (const { heats_from: from, heat_kwh: kwh } of [outlook.warm_up, preview]) {
      const leadH = (Date.parse('2026-01-11T05:30:00.000Z') - Date.parse(from)) / HOUR_MS
      expect(leadH).toBeGreaterThan(1.5)
      expect(leadH).toBeLessThan(16)
      expect(kwh).toBeGreaterThan(1)
    }
    expect((await ada.call('GET', `${roomPath()}/warm-up?at=06:30&from=22&to=20`)).json.error.message).toMatch(/above/)
    expect((await bathroom()).schedule).toMatchObject({ setpoint: 19.5 })
  })
})
