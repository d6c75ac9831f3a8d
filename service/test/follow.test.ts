import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { describe, expect, test } from 'vitest'

describe.each(ENGINES)('the control that follows a change on %s', (engine) => {
  const house = heatedWorld(engine)

  const versions = async () => {
    const rows = await house.world.store.db.selectFrom('controlStates').select(['roomId', 'version']).execute()
    return new Map(rows.map(({ roomId, version }) => [roomId, version]))
  }

  /** The rooms that were stepped meanwhile. */
  async function steppedBy(work: () => Promise<unknown>): Promise<string[]> {
    const before = await versions()
    await work()
    await house.heating.settled()
    return [...(await versions())].filter(([id, version]) => before.get(id) !== version).map(([id]) => id)
  }

  const everyRoom = async () => [...(await versions()).keys()]

  test('steps the room that was changed, and no other', async () => {
    await house.live(2, 18)
    expect((await everyRoom()).length).toBeGreaterThan(1)
    expect(await steppedBy(() => house.world.patch({ target_temperature: 23 }))).toEqual([house.world.bathroomId])
  })

  test('steps no room for what the control does not go by', async () => {
    await house.live(2, 18)
    expect(await steppedBy(() => house.world.patch({ name: 'Washroom' }))).toEqual([])
  })

  test('steps every room when the building was changed', async () => {
    await house.live(2, 18)
    const { store, holder } = house.world
    await store.db.updateTable('buildings').set({ comfort: 'saving' }).where('id', '=', holder.buildingId).execute()
    const stepped = await steppedBy(() => house.heating.follow(holder.buildingId))
    expect(stepped.toSorted()).toEqual((await everyRoom()).toSorted())
  })

  test('steps a room whose valves were changed', async () => {
    await house.live(2, 18)
    const { store, holder, bathroomId } = house.world
    await store.db.deleteFrom('valves').where('roomId', '=', bathroomId).execute()
    expect(await steppedBy(() => house.heating.follow(holder.buildingId))).toEqual([bathroomId])
  })

  test('steps every room where a setpoint has changed by itself meanwhile', async () => {
    await house.live(2, 18)
    const { store, holder, clock } = house.world
    await store.db
      .updateTable('buildings')
      .set({ setpointsChangeAt: clock.now() })
      .where('id', '=', holder.buildingId)
      .execute()
    const stepped = await steppedBy(() => house.heating.follow(holder.buildingId))
    expect(stepped.toSorted()).toEqual((await everyRoom()).toSorted())
  })

  test('steps every room in a process that has stepped none of them', async () => {
    await house.live(2, 18)
    house.restart()
    const stepped = await steppedBy(() => house.world.patch({ target_temperature: 23 }))
    expect(stepped.toSorted()).toEqual((await everyRoom()).toSorted())
  })

  test('leaves a control of every room that is asked for at the same time as it is', async () => {
    await house.live(2, 18)
    const { buildingId } = house.world.holder
    const both = () => Promise.all([house.heating.control(buildingId), house.heating.follow(buildingId)])
    expect((await steppedBy(both)).toSorted()).toEqual((await everyRoom()).toSorted())
  })

  test('does not count as a control of the rooms that it leaves as they are', async () => {
    await house.live(2, 18)
    const { store, holder, clock } = house.world
    const controlledAt = async () =>
      (
        await store.db
          .selectFrom('buildings')
          .select('controlledAt')
          .where('id', '=', holder.buildingId)
          .executeTakeFirstOrThrow()
      ).controlledAt
    const before = await controlledAt()
    clock.advance(10 * MINUTE_MS)
    await steppedBy(() => house.world.patch({ target_temperature: 23 }))
    expect(await controlledAt()).toBe(before)
  })
})
