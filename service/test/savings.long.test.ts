import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { learnRoom } from '@hypocaust/testing/learned-room.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../src/base/metrics.ts'
import { Fitting } from '../src/house/heating/fitting.ts'
import type { Heating } from '../src/house/heating/heating.ts'
import { Replays } from '../src/house/replays/replays.ts'
import { keepSavings } from '../src/house/replays/savings.ts'
import type { RoomScope } from '../src/house/rooms/write.ts'

const RECORDED_DAYS = 8

describe.each(ENGINES)('what a room could save on %s', (engine) => {
  let world: World
  let heating: Heating
  const replays = new Replays(HOUR_MS)
  let replayed = 0

  beforeAll(async () => {
    world = await openSite(engine)
  })
  afterAll(async () => {
    await replays.stop()
    await world.close()
  })
  beforeEach(async () => {
    world = await world.refurnished()
    heating = heatingOf(world)
    replayed = 0
  })
  afterEach(() => heating.settled())

  const savings = async () => (await world.get(`${world.bathroomPath}/energy`)).json.savings

  const learn = () => learnRoom(world.store, world.bathroomId, RECORDED_DAYS, world.clock.now())

  /** The daily fits of a process, each followed by what it does for the savings. */
  async function fitAll(): Promise<void> {
    const { store, clock } = world
    const counted = {
      ask: ((task) => {
        replayed += 1
        return replays.ask(task)
      }) as Replays['ask'],
    }
    const parts = { store, availability: { silentAfterS: 300 }, replays: counted }
    const afterFit = (room: RoomScope) => keepSavings(parts, room, clock.now())
    const fitting = new Fitting({ store, clock, metrics: createMetrics(), heating, afterFit })
    while (await fitting.fitNext());
    await fitting.stop()
  }

  test('is not known of a new room', async () => {
    expect(await savings()).toBeNull()
    await fitAll()
    expect(await savings()).toBeNull()
    expect(replayed).toBe(0)
  })

  test('is the same for a client, on the page and in the CSV, and asking costs no replay', async () => {
    const nightMode = JSON.stringify({ from: '22:00', to: '06:00', setback: 3 })
    await world.store.db.updateTable('rooms').set({ nightMode }).where('id', '=', world.bathroomId).execute()
    await learn()
    await fitAll()
    const { target_temperature } = await world.bathroom()
    const known = await savings()
    expect(known).toEqual({
      days: expect.closeTo(RECORDED_DAYS, 0),
      target_temperature,
      half_degree_less: { percent: expect.any(Number), plus_minus: expect.any(Number) },
      setback_hour_earlier: { percent: expect.any(Number), plus_minus: expect.any(Number) },
    })
    expect(known.half_degree_less.percent).toBeGreaterThan(known.half_degree_less.plus_minus)
    expect(known.half_degree_less.percent).toBeLessThan(6)

    // Without the record there is nothing left to replay.
    await world.store.db.deleteFrom('roomSlots').execute()
    const day = new Date(world.clock.now()).toISOString().slice(0, 10)
    const heat = { roomId: world.bathroomId, day, kwhM2: 0.4, spread: 0.2, hours: '[]', costM2: null }
    await world.store.db.insertInto('roomHeat').values(heat).execute()
    const ada = await signedIn(world)
    const building = `/app/buildings/${world.holder.buildingId}`
    const { rooms } = (await world.get(`${world.buildingPath}/energy`)).json
    const onPage = (await ada.call('GET', `${building}/energy`)).json.rooms
    expect(rooms).toEqual(onPage)
    expect(onPage[0].savings).toEqual(known)
    const [header, line] = (await ada.call('GET', `${building}/energy.csv`)).text.split('\n')
    expect(header).toBe(
      'day,room,heat_kwh,heat_kwh_per_m2,cost,savings_days,savings_target,half_degree_less_percent,half_degree_less_plus_minus,setback_hour_earlier_percent,setback_hour_earlier_plus_minus',
    )
    const { half_degree_less: cooler, setback_hour_earlier: earlier } = known
    expect(line).toBe(
      `${day},Bathroom,,0.4,,${known.days},${target_temperature},${cooler.percent},${cooler.plus_minus},${earlier.percent},${earlier.plus_minus}`,
    )
    expect(replayed).toBe(1)
  })

  test('is replayed again the day after a setting has changed, and else once a week', async () => {
    await learn()
    await fitAll()
    const { target_temperature, setback_hour_earlier } = await savings()
    expect(setback_hour_earlier).toBeNull()
    world.clock.advance(DAY_MS)
    await fitAll()
    expect(replayed).toBe(1)
    await world.patch({ target_temperature: target_temperature + 1 })
    world.clock.advance(DAY_MS)
    await fitAll()
    expect(replayed).toBe(2)
    expect(await savings()).toMatchObject({ target_temperature: target_temperature + 1 })
    world.clock.advance(7 * DAY_MS)
    await learn()
    await fitAll()
    expect(replayed).toBe(3)
  })

  test('is forgotten once the room is under manual power', async () => {
    await learn()
    await fitAll()
    expect(await savings()).not.toBeNull()
    await world.patch({ manual_power: { enabled: true, power: 0.5 } })
    world.clock.advance(DAY_MS)
    await fitAll()
    expect(await savings()).toBeNull()
  })

  test('is computed by one of several processes', async () => {
    await learn()
    await Promise.all([fitAll(), fitAll(), fitAll()])
    expect(replayed).toBe(1)
    expect(await savings()).not.toBeNull()
  })
})
