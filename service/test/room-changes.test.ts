import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { StoreError } from '../src/store/store.ts'

const WRITES = 40

describe.each(ENGINES)('a PATCH of a room on %s', (engine) => {
  let world: World
  const changed: string[] = []
  const lines: string[] = []
  const metrics = createMetrics()
  beforeAll(async () => {
    world = await openWorld(engine, {
      ...{ limits: { read: 0, write: WRITES }, metrics },
      logger: createLogger('info', { write: (line) => void lines.push(line) }),
      onBuildingChanged: (buildingId) => void changed.push(buildingId),
    })
  })
  afterAll(() => world.close())
  // Another budget for every test.
  beforeEach(() => world.clock.advance(2 * MINUTE_MS))

  const leftIn = (headers: Record<string, unknown>) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])

  test('that the database does not take is answered with its error, charged once and not tried again', async () => {
    const { store } = world
    const batch = store.batch
    let tried = 0
    store.batch = async () => {
      tried++
      throw new StoreError('unavailable', 'no connection')
    }
    const { status, headers } = await world.patch({ target_temperature: 20 })
    store.batch = batch
    expect([status, tried, leftIn(headers)]).toEqual([503, 1, WRITES - 1])
    expect(lines.at(-1)).toContain('no connection')
  })

  test('of a room that does not exist is refused, and charged once', async () => {
    const path = world.bathroomPath.replace(/\w{12}$/, '000000000000')
    const { status, headers } = await world.call('PATCH', path, {
      key: world.holder.writeKey,
      body: { target_temperature: 20 },
    })
    expect([status, leftIn(headers)]).toEqual([404, WRITES - 1])
  })

  test('is followed by the heating, logged with its key, in the change log and in the figures', async () => {
    const count = async () => {
      const { values } = await metrics.httpDuration.get()
      const isOwn = ({ metricName, labels }: (typeof values)[number]) =>
        metricName?.endsWith('_count') &&
        labels.method === 'PATCH' &&
        labels.route === '/v1/buildings/:buildingId/rooms/:roomId' &&
        String(labels.status) === '200'
      return values.find(isOwn)?.value ?? 0
    }
    await world.patch({ target_temperature: 20 })
    const [before, changesBefore, linesBefore] = [await count(), changed.length, lines.length]
    await world.patch({ target_temperature: 21.5 }, { headers: { 'x-request-id': 'abc' } })
    expect(await count()).toBe(before + 1)
    expect(changed.slice(changesBefore)).toEqual([world.holder.buildingId])
    expect(lines.slice(linesBefore).map((line) => JSON.parse(line))).toMatchObject([
      { reqId: 'abc', method: 'PATCH', path: world.bathroomPath, key: { name: 'write key' } },
    ])
    const entry = await world.store.db
      .selectFrom('changeLog')
      .selectAll()
      .orderBy('sequence', 'desc')
      .executeTakeFirst()
    expect(entry).toMatchObject({ actorKind: 'key', actorName: 'write key', roomId: world.bathroomId })
  })
})
