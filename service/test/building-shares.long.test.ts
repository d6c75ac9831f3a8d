import { createDatabase, ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { ownerAmong } from '../src/processes/owner-among.ts'
import { PostgresNotifier } from '../src/processes/postgres-notifier.ts'
import { PostgresShares } from '../src/processes/postgres-shares.ts'

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 })

describe('the owner of a building', () => {
  test('is the same whatever the order of the members, and changes only with its own coming or going', () => {
    fc.assert(
      fc.property(names, fc.uuid(), fc.string({ minLength: 1 }), (members, key, another) => {
        const owner = ownerAmong(members, key)
        expect(ownerAmong(members.toReversed(), key)).toBe(owner)
        expect([owner, another]).toContain(ownerAmong([...members, another], key))
      }),
    )
  })

  test('is each of three members about equally often', () => {
    const counts = new Map<string, number>()
    for (let i = 0; i < 3000; i++) {
      const owner = ownerAmong(['one', 'two', 'three'], `building ${i}`) ?? ''
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })
})

const BUILDINGS = Array.from(
  { length: 300 },
  (_, i) => `${i.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`,
)

/** A process as far as shares go. */
interface Process {
  shares: PostgresShares
  notifier: PostgresNotifier
  controlled: string[]
  isAble: boolean
  /** From now on it takes what it is given and never finishes. */
  freeze(): void
}

describe.runIf(ENGINES.includes('postgres'))('buildings shared out among processes', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let processes: Process[] = []
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())
  afterEach(async () => {
    for (const { shares } of processes) await shares.stop()
    for (const { notifier } of processes) await notifier.stop()
    processes = []
  })

  async function join(): Promise<Process> {
    const notifier = new PostgresNotifier(database.url, createLogger('silent'))
    await notifier.start()
    const controlled: string[] = []
    let isFrozen = false
    const joined: Process = {
      notifier,
      controlled,
      isAble: true,
      shares: new PostgresShares(notifier, {
        control: async (buildingId) => {
          if (isFrozen) await new Promise(() => {})
          controlled.push(buildingId)
        },
        isAble: () => joined.isAble,
      }),
      freeze() {
        isFrozen = true
      },
    }
    await joined.shares.start()
    processes.push(joined)
    return joined
  }

  const ownedBy = ({ shares }: Process) => BUILDINGS.filter((id) => shares.isOwn(id))
  const everyoneKnows = () =>
    eventually(() => processes.reduce((sum, each) => sum + ownedBy(each).length, 0) === BUILDINGS.length)
  const sorted = (ids: string[]) => ids.toSorted()

  test('are each controlled by one process, the same whoever took the readings', async () => {
    const all = [await join(), await join(), await join()]
    await everyoneKnows()
    for (const giver of all) {
      for (const { controlled } of all) controlled.length = 0
      giver.shares.control(BUILDINGS, new Map())
      await eventually(() => all.reduce((sum, { controlled }) => sum + controlled.length, 0) >= BUILDINGS.length)
      for (const each of all) expect(sorted(each.controlled)).toEqual(sorted(ownedBy(each)))
    }
  })

  test('are all controlled here when nobody else is there, at once', async () => {
    const alone = await join()
    alone.shares.control(BUILDINGS, new Map())
    expect(alone.controlled).toEqual(BUILDINGS)
  })

  test('that were given to a process that ended without a word are controlled by the process that gave them', async () => {
    const [giver, ending] = [await join(), await join()]
    await everyoneKnows()
    const lost = ownedBy(ending)
    ending.freeze()
    giver.shares.control(BUILDINGS, new Map())
    await ending.notifier.stop()
    await eventually(() => lost.every((id) => giver.controlled.includes(id)))
    expect(ownedBy(giver)).toEqual(BUILDINGS)
  })

  test('of a process that stops are left to the others, with what it had not begun', async () => {
    const [stopping, staying] = [await join(), await join()]
    await everyoneKnows()
    stopping.shares.control(BUILDINGS, new Map())
    await stopping.shares.stop()
    await eventually(() => staying.controlled.length >= BUILDINGS.length)
    expect(sorted([...new Set([...staying.controlled, ...stopping.controlled])])).toEqual(BUILDINGS)
    expect(ownedBy(stopping)).toEqual([])
  })

  test('are the others’ while a process cannot reach its broker, and come back', async () => {
    const [one, other] = [await join(), await join()]
    await everyoneKnows()
    one.isAble = false
    await eventually(() => ownedBy(other).length === BUILDINGS.length)
    expect(ownedBy(one)).toEqual([])
    one.isAble = true
    await everyoneKnows()
    expect(ownedBy(one).length).toBeGreaterThan(0)
  })

  test('are controlled here while notifications cannot be sent', async () => {
    const [cut, other] = [await join(), await join()]
    await everyoneKnows()
    await cut.notifier.stop()
    cut.shares.control(BUILDINGS, new Map())
    await eventually(() => cut.controlled.length >= BUILDINGS.length)
    expect(other.controlled).toEqual([])
  })
})
