import { ENGINES } from '@hypocaust/testing/database.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findAccount, listAccounts } from '../src/people/accounts/accounts.ts'
import { removeAccount } from '../src/people/accounts/remove.ts'

describe.each(ENGINES)('an account that is removed on %s', (engine) => {
  let world: World
  beforeEach(async () => {
    world = await openWorld(engine)
  })
  afterEach(() => world.close())

  const accountOfHolder = async () => {
    const account = (await listAccounts(world.store)).find(({ id }) => id === world.holder.accountId)
    if (!account) throw new Error('the holder has no account')
    return account
  }
  const remove = async () => removeAccount(world.store, world.clock, await accountOfHolder())
  const buildings = async () =>
    (await world.store.db.selectFrom('buildings').select('id').execute()).map(({ id }) => id).sort()

  /** Every table and column in which any of the words still is. */
  async function tracesOf(words: string[]): Promise<string[]> {
    const plain = world.store.db.withoutPlugins() as unknown as Kysely<unknown>
    const found: string[] = []
    for (const { name, columns } of await plain.introspection.getTables())
      for (const column of columns)
        for (const word of words) {
          const holds = sql`cast(${sql.ref(column.name)} as text) like ${`%${word}%`}`
          const { rows } = await sql`select 1 from ${sql.table(name)} where ${holds} limit 1`.execute(plain)
          if (rows.length > 0) found.push(`${name}.${column.name}`)
        }
    return found
  }

  test('takes its buildings with it, and leaves no trace of person, building or key', async () => {
    await world.patch({ target_temperature: 22 })
    const account = await accountOfHolder()
    const { buildingId, roomIds } = world.holder
    expect(await tracesOf([account.id, account.email, buildingId])).not.toEqual([])
    expect(await remove()).toEqual({ buildingsRemoved: 1, buildingsLeft: 0 })
    expect(await tracesOf([account.id, account.email, buildingId, ...roomIds])).toEqual([])
    expect((await world.get(world.roomsPath)).status).toBe(401)
    expect(await findAccount(world.store, account.email)).toBeUndefined()
  })

  test('leaves what belongs to others as it was', async () => {
    const { stranger } = world
    const before = await world.get(`/v1/buildings/${stranger.buildingId}/rooms`, { key: stranger.readKey })
    await remove()
    const after = await world.get(`/v1/buildings/${stranger.buildingId}/rooms`, { key: stranger.readKey })
    expect(after.json).toEqual(before.json)
    expect(await buildings()).toEqual([stranger.buildingId])
  })

  test('leaves a building to its other owner, whose change log names it no more', async () => {
    const { buildingId } = world.holder
    const other = await settleMember(world.store, world.clock, { buildingId, email: 'bea@example.org', role: 'owner' })
    await world.patch({ target_temperature: 22 })
    const account = await accountOfHolder()
    expect(await remove()).toEqual({ buildingsRemoved: 0, buildingsLeft: 1 })
    const room = await world.get(world.bathroomPath, { key: other.readKey })
    expect(room.json).toMatchObject({ target_temperature: 22 })
    expect(await tracesOf([account.id, account.email])).toEqual([])
    const log = await world.store.db.selectFrom('changeLog').select(['actorName', 'field']).execute()
    expect(log).toContainEqual(expect.objectContaining({ actorName: '' }))
  })

  test('ends what it was a guest of, and nothing else of that building', async () => {
    const { buildingId, roomIds } = world.holder
    const guest = await settleMember(world.store, world.clock, {
      buildingId,
      email: 'gus@example.org',
      role: 'guest',
      roomIds: roomIds.slice(0, 1),
    })
    const removed = await removeAccount(world.store, world.clock, { id: guest.accountId, email: guest.email })
    expect(removed).toEqual({ buildingsRemoved: 0, buildingsLeft: 1 })
    expect((await world.get(world.bathroomPath, { key: guest.readKey })).status).toBe(401)
    expect((await world.get(world.bathroomPath)).status).toBe(200)
  })

  test('by two at a time is gone for both', async () => {
    const account = await accountOfHolder()
    const both = [1, 2].map(() => removeAccount(world.store, world.clock, account))
    await Promise.all(both)
    await removeAccount(world.store, world.clock, account)
    expect(await findAccount(world.store, account.email)).toBeUndefined()
  })
})
