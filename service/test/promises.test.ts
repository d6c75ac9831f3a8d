import { DAY_MS, localTime } from '@hypocaust/domain'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { describe, expect, test } from 'vitest'
import { outlookOf } from '../src/house/heating/outlook.ts'
import { promisesOf } from '../src/house/heating/promises.ts'
import { raiseRevision } from '../src/house/revisions.ts'

const NIGHT = { from: '22:00', to: '06:00', setback: 2 }
const AVAILABILITY = { silentAfterS: 180 }

describe.each(ENGINES)('the record of kept promises on %s', (engine) => {
  const house = heatedWorld(engine)

  const scope = () => ({ buildingId: house.world.holder.buildingId, roomId: house.world.bathroomId })
  const record = () => promisesOf(house.world.store, scope())
  const stored = () =>
    house.world.store.db.selectFrom('promises').selectAll().where('roomId', '=', house.world.bathroomId).execute()

  async function wishForNights(): Promise<void> {
    const { world } = house
    const { buildingId, roomId } = scope()
    const wish = { targetC: 21, nightMode: JSON.stringify(NIGHT) }
    await world.store.db.updateTable('rooms').set(wish).where('id', '=', roomId).execute()
    await world.store.batch([raiseRevision.with(world.store, { buildingId, nowMs: world.clock.now() })])
  }

  async function liveUntil(
    isReached: () => boolean | Promise<boolean>,
    temperatureC: number,
    everyMinutes = 10,
  ): Promise<void> {
    const { world } = house
    const endMs = world.clock.now() + DAY_MS
    while (!(await isReached())) {
      expect(world.clock.now()).toBeLessThan(endMs)
      world.clock.advance(everyMinutes * MINUTE_MS)
      await world.gatewaysReport()
      await world.report(BATHROOM_SENSOR, { temperatureC })
      await house.control()
    }
  }

  const isPromised = async () => (await stored()).some(({ measuredC }) => measuredC === null)
  /** In Oslo. */
  const hour = () => Math.floor(localTime('Europe/Oslo', house.world.clock.now()).minuteOfDay / 60)

  async function promiseForTheMorning(): Promise<void> {
    await liveUntil(() => hour() === 22, 20.4, 30)
    await liveUntil(isPromised, 20.4)
    expect(hour() < 6 || hour() > 21).toBe(true)
  }

  test('takes down in the night what the outlook promises for the morning, and in the morning how warm it is', async () => {
    const { world } = house
    await wishForNights()
    await promiseForTheMorning()
    const { warmUp } = await outlookOf(world.store, AVAILABILITY, scope(), world.clock.now())
    const [promised] = await stored()
    expect(promised).toMatchObject({ dueAt: warmUp?.atMs, setpointC: 21, measuredC: null })
    expect(promised?.expectedC).toBeCloseTo(warmUp?.expectedC ?? 0, 2)
    expect(await record()).toEqual({ mornings: 0, kept: 0 })
    const warm = Math.round(10 * (promised?.expectedC ?? 0) - 2) / 10
    await liveUntil(() => hour() === 7, warm)
    expect((await stored())[0]?.measuredC).toBe(warm)
    expect(await record()).toEqual({ mornings: 1, kept: 1 })
    await promiseForTheMorning()
    await liveUntil(() => hour() === 7, 17)
    expect(await record()).toEqual({ mornings: 2, kept: 1 })
  })

  test('counts no morning whose setpoint was changed in the night', async () => {
    await wishForNights()
    await promiseForTheMorning()
    await house.world.patch({ target_temperature: 22 })
    await liveUntil(() => hour() === 7, 20.4)
    expect((await stored()).map(({ measuredC }) => measuredC)).toEqual([null])
    expect(await record()).toEqual({ mornings: 0, kept: 0 })
  })

  test('forgets after five weeks', async () => {
    const { world } = house
    const old = { roomId: world.bathroomId, setpointC: 21, expectedC: 21, measuredC: 21 }
    const daysAgo = [36, 20].map((days) => ({ ...old, dueAt: world.clock.now() - days * DAY_MS }))
    await world.store.db.insertInto('promises').values(daysAgo).execute()
    await wishForNights()
    await promiseForTheMorning()
    expect((await stored()).map(({ measuredC }) => measuredC)).toEqual([21, null])
  })
})

test('the website reads the last seven mornings, by the clock of the building', async () => {
  const world = await openSite('sqlite')
  const ada = await signedIn(world)
  const path = `/app/rooms/${world.bathroomId}/promises`
  expect((await ada.call('GET', path)).json).toEqual({ mornings: 0, kept: 0 })
  const promise = (utc: string, measuredC: number | null) => ({
    ...{ roomId: world.bathroomId, setpointC: 21, expectedC: 21, measuredC },
    dueAt: Date.parse(utc),
  })
  const mornings = [1, 2, 3, 4, 5, 6, 7, 8].map((day) => promise(`2026-01-0${day}T05:00:00Z`, day < 3 ? 20.6 : 20.8))
  const evening = promise('2026-01-08T15:00:00Z', 18)
  const unread = promise('2026-01-09T05:00:00Z', null)
  await world.store.db
    .insertInto('promises')
    .values([...mornings, evening, unread])
    .execute()
  expect((await ada.call('GET', path)).json).toEqual({ mornings: 7, kept: 6 })
  await world.close()
})
