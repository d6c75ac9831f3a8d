import { DAY_MS, HOUR_MS, programmeOfNight } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lawInputs } from '../src/house/heating/outlook.ts'
import { slotsOf } from '../src/house/heating/slots.ts'
import { Replays } from '../src/house/replays/replays.ts'

const SLOT_MS = 1_800_000
const DAYS = 3

describe('a room replayed on its own model', () => {
  let world: World
  let ada: Browser

  beforeAll(async () => {
    world = await openSite('sqlite')
    ada = await signedIn(world)
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 21 })
    const heating = heatingOf(world)
    await heating.control(world.holder.buildingId)
    await heating.settled()
    await world.store.db.updateTable('rooms').set({ areaM2: 10 }).execute()
    await recordDays()
  })
  afterAll(() => world.close())

  const path = (name: string) => `/app/rooms/${world.bathroomId}/${name}`
  /** A busy machine answers that it is overloaded: then the same question again. */
  async function ask(...question: Parameters<Browser['call']>): ReturnType<Browser['call']> {
    const answer = await ada.call(...question)
    return answer.status === 503 ? ask(...question) : answer
  }

  /** Days of a room that was held at 21° by a valve that was open a third of the time. */
  async function recordDays(): Promise<void> {
    const lastMs = Math.floor(world.clock.now() / SLOT_MS) * SLOT_MS
    const slots = Array.from({ length: DAYS * 48 }, (_, i) => ({
      endMs: lastMs - (DAYS * 48 - 1 - i) * SLOT_MS,
      airC: 21 + 0.2 * Math.sin(i / 4),
      power: 0.3,
      outdoorC: 2,
      windMs: 3,
      solarWm2: 0,
    }))
    await world.store.db
      .insertInto('roomSlots')
      .values(slots.map((slot) => ({ roomId: world.bathroomId, endsAt: slot.endMs, slot: JSON.stringify(slot) })))
      .execute()
  }

  test('the stored settings make no difference, and a lower target takes less heat; nothing is written', async () => {
    const before = await world.bathroom()
    const same = await ask('POST', path('what-if'), {})
    expect(same.status).toBe(200)
    expect(same.json.past.heat_percent).toEqual({ value: 0, plus_minus: 0 })
    expect(same.json.ahead.changed).toEqual(same.json.ahead.now)
    expect(same.json.ahead.days).toBeCloseTo(7, 0)
    const lower = await ask('POST', path('what-if'), { target_temperature: before.target_temperature - 2 })
    expect(lower.json.past.heat_percent.value).toBeLessThan(0)
    expect(lower.json.ahead.changed.heat_kwh).toBeLessThan(lower.json.ahead.now.heat_kwh)
    expect((await world.bathroom()).target_temperature).toBe(before.target_temperature)
  })

  test('is given up when the service stops', async () => {
    const { store, bathroomId: roomId, holder, clock } = world
    const scope = { buildingId: holder.buildingId, roomId }
    const { state, input } = await lawInputs(store, { silentAfterS: 300 }, scope, clock.now())
    if (!state) throw new Error('the room has no state')
    const history = await slotsOf(store, roomId, 0)
    const replays = new Replays(HOUR_MS)
    const asked = replays.ask({ kind: 'savings', room: state, history, settings: input.settings })
    const refused = expect(asked).rejects.toMatchObject({ code: 'unavailable' })
    await replays.stop()
    await refused
  })

  test('a tariff gives it a price', async () => {
    const building = `/app/buildings/${world.holder.buildingId}`
    await ada.call('PATCH', building, { tariff: { kind: 'fixed', price: 0.3 } })
    const { json } = await ask('POST', path('what-if'), {})
    expect(json.past.now.cost).toBeCloseTo(0.3 * json.past.now.heat_kwh, 1)
    expect(json.currency).toBe('NOK')
    await ada.call('PATCH', building, { tariff: null })
  })

  test('a programme with faults and a field that does not exist are refused', async () => {
    const night = { from: '22:00', to: '06:00', setback: 2 }
    const both = await ada.call('POST', path('what-if'), { night_mode: night, programme: programmeOfNight(night) })
    expect(both).toMatchObject({ status: 400, json: { error: { code: 'invalid_value' } } })
    expect(await ada.call('POST', path('what-if'), { power: 1 })).toMatchObject({ status: 400 })
  })

  test('a room that Hypocaust heats has no report, one that is watched does', async () => {
    expect(await ada.call('GET', path('shadow'))).toMatchObject({ status: 204 })
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { only_watch: true })
    expect((await ask('GET', path('shadow'))).json).toMatchObject({ state: 'no_heat_seen', other: null })
    await world.store.db
      .updateTable('rooms')
      .set({ watchedSince: world.clock.now() - 5 * DAY_MS })
      .where('id', '=', world.bathroomId)
      .execute()
    const { json } = await ask('GET', path('shadow'))
    expect(json).toMatchObject({ state: 'not_learned', days: 2, other: { heat_kwh: expect.any(Number) } })
    expect(json.kelvin_hours.plus_minus).toBeGreaterThanOrEqual(0)
  })

  test('an account may ask twenty times a minute', async () => {
    const answers = []
    for (let i = 0; i < 21; i++) answers.push((await ada.call('GET', path('shadow'))).status)
    expect(answers.at(-1)).toBe(429)
  })
})
