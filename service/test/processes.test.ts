import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { NO_COMMANDS } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { buildingsDue, nextCommand } from '../src/house/gateways/commands.ts'
import { currentConfig } from '../src/house/gateways/config.ts'
import { gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { explainRoom } from '../src/house/heating/explanation.ts'
import { Heating } from '../src/house/heating/heating.ts'
import { RevisionWatch } from '../src/house/revisions.ts'
import type { Store } from '../src/store/store.ts'

describe.each(ENGINES)('two processes on one %s', (engine) => {
  let world: World
  let otherStore: Store
  beforeAll(async () => {
    world = await openWorld(engine)
    otherStore = await world.test.openAgain()
  })
  afterAll(async () => {
    await otherStore.close()
    await world.close()
  })
  beforeEach(async () => {
    world = await world.refurnished()
  })

  const buildingId = () => world.holder.buildingId
  const metrics = createMetrics()
  const heatingOn = (store: Store) =>
    new Heating({
      store,
      clock: world.clock,
      metrics,
      logger: createLogger('silent'),
      availability: { silentAfterS: 300 },
      commands: NO_COMMANDS,
      onControlled: () => {},
    })

  const cellar = async (store: Store) => {
    const found = (await gatewayValvesOf(store, buildingId())).find(({ valves }) => valves.length > 0)
    if (!found) throw new Error('the house has valves')
    return found
  }

  const setPower = (power: number) => world.patch({ manual_power: { enabled: true, power } })

  test('a command for powers of before never gets the number after one for the powers of now', async () => {
    await setPower(0.1)
    const seenBefore = await cellar(world.store)
    await setPower(0.9)
    const newer = await nextCommand(otherStore, world.clock, await cellar(otherStore))
    expect(newer).toMatchObject({ kind: 'due', command: { seq: 1, valves: [{ power: 0.9 }, {}] } })
    expect(await nextCommand(world.store, world.clock, seenBefore)).toEqual({ kind: 'outrun' })
    expect(await nextCommand(world.store, world.clock, await cellar(world.store))).toEqual({ kind: 'nothing' })
  })

  test('a process outrun by a command with older powers sends the current powers after it', async () => {
    await setPower(0.1)
    const [slow, fast] = [await cellar(world.store), await cellar(otherStore)]
    expect(await nextCommand(otherStore, world.clock, fast)).toMatchObject({ command: { seq: 1 } })
    await setPower(0.9)
    expect(await nextCommand(world.store, world.clock, slow)).toEqual({ kind: 'outrun' })
    const again = await nextCommand(world.store, world.clock, await cellar(world.store))
    expect(again).toMatchObject({ kind: 'due', command: { seq: 2, valves: [{ power: 0.9 }, {}] } })
  })

  test('a configuration of before never gets a revision after the one of now', async () => {
    await setPower(0.1)
    const seenBefore = await cellar(world.store)
    await setPower(0.9)
    expect(await currentConfig(otherStore, await cellar(otherStore))).toMatchObject({ kind: 'new' })
    expect(await currentConfig(world.store, seenBefore)).toEqual({ kind: 'outrun' })
    expect(await currentConfig(world.store, await cellar(world.store))).toMatchObject({
      kind: 'known',
      config: { revision: 1, fallback: { power: { 1: 0.9 } } },
    })
  })

  test('what one has decided and not sent is due for the other', async () => {
    await setPower(0.4)
    await nextCommand(world.store, world.clock, await cellar(world.store))
    expect(await buildingsDue(otherStore, world.clock)).toEqual([])
    await setPower(0.6)
    await heatingOn(world.store).control(buildingId())
    expect(await buildingsDue(otherStore, world.clock)).toEqual([buildingId()])
  })

  test('a gateway without valves is not due for ever', async () => {
    await heatingOn(world.store).control(buildingId())
    for (const gateway of await gatewayValvesOf(world.store, buildingId()))
      await nextCommand(world.store, world.clock, gateway)
    expect(await buildingsDue(world.store, world.clock)).toEqual([])
  })

  test('a change waits until some process has followed it, also one that starts later', async () => {
    await heatingOn(world.store).control(buildingId())
    const watch = new RevisionWatch(otherStore, world.clock)
    const seen = async () => (await watch.changed()).includes(buildingId())
    expect(await seen()).toBe(false)
    await world.patch({ target_temperature: 22 })
    expect([await seen(), await seen()]).toEqual([true, false])
    world.clock.advance(MINUTE_MS)
    expect(await seen()).toBe(true)
    expect(await new RevisionWatch(world.store, world.clock).changed()).toContain(buildingId())
    await heatingOn(world.store).control(buildingId())
    world.clock.advance(MINUTE_MS)
    expect(await seen()).toBe(false)
  })

  test('two changes within one millisecond are two revisions', async () => {
    const revisedAt = async () =>
      (
        await world.store.db
          .selectFrom('buildings')
          .selectAll()
          .where('id', '=', buildingId())
          .executeTakeFirstOrThrow()
      ).revisedAt
    await world.patch({ target_temperature: 22 })
    const first = await revisedAt()
    await world.patch({ target_temperature: 23 })
    expect(await revisedAt()).toBeGreaterThan(first)
  })

  test('why a room heats is explained right, whichever process decided', async () => {
    const [one, other] = [heatingOn(world.store), heatingOn(otherStore)]
    for (const [heating, power] of [
      [one, 0.5],
      [other, 0.2],
      [one, 0.5],
    ] as const) {
      world.clock.advance(MINUTE_MS)
      await setPower(power)
      await heating.control(buildingId())
      const explanation = await explainRoom(world.store, world.bathroomId, world.clock.now())
      expect(explanation?.sentence).toContain(`${power * 100} % by hand`)
    }
  })

  test('a decision that stands is written down once, not once by each', async () => {
    const both = [heatingOn(world.store), heatingOn(otherStore)]
    await setPower(0.5)
    for (let minute = 0; minute < 6; minute++) {
      world.clock.advance(MINUTE_MS)
      await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
      await both[minute % 2]?.control(buildingId())
    }
    const kept = await world.store.db
      .selectFrom('decisions')
      .selectAll()
      .where('roomId', '=', world.bathroomId)
      .execute()
    expect(kept).toHaveLength(1)
  })

  test('a quiet building is stepped by one of them', async () => {
    const both = [heatingOn(world.store), heatingOn(otherStore)]
    await both[0]?.control(buildingId())
    world.clock.advance(16 * MINUTE_MS)
    await world.heartbeat(world.holder.gatewayIds[0])
    const steps = async () => (await metrics.controlSteps.get()).values[0]?.value ?? 0
    const before = await steps()
    await Promise.all(both.map((heating) => heating.controlQuiet()))
    expect((await steps()) - before).toBe(world.holder.roomIds.length)
  })
})
