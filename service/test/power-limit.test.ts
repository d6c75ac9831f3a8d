import { HOUR_MS, MINUTE_MS, type SourceReport, timestampOf } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { sourceUpdate } from '../src/doors/mqtt/gateway-updates.ts'
import { gatewayValvesOf, withCircumstances } from '../src/house/gateways/valves.ts'
import type { Heating } from '../src/house/heating/heating.ts'

describe.each(ENGINES)('a limit on the power of the heat source, on %s', (engine) => {
  const house = heatedWorld(engine)
  const { live } = house
  let world: World
  let heating: Heating

  beforeEach(() => {
    ;({ world, heating } = house)
  })

  const path = () => `${world.buildingPath}/power-limit`
  const inHours = (hours: number) => timestampOf(world.clock.now() + hours * HOUR_MS)
  const put = async (body: unknown, key = world.holder.writeKey) => {
    const answer = await world.call('PUT', path(), { key, body })
    await heating.settled()
    return answer
  }
  const small = (fromH: number, untilH: number) => ({
    ...{ limit_w: 50, basis: 'agreed', from: inHours(fromH), until: inHours(untilH) },
  })
  const power = async () => (await world.bathroom()).power
  const adjustments = async () => (await world.get(`${world.bathroomPath}/explanation`)).json.adjustments

  test('leaves a cold room its share at once, says so, and gives the room back when it is withdrawn', async () => {
    await live(2, 17)
    expect((await world.get(path())).text).toBe('null')
    expect(await power()).toBeGreaterThan(0.8)
    const limit = small(0, 2)
    expect((await put(limit)).json).toEqual({ ...limit, reported_by: 'interface' })
    expect(await power()).toBeLessThan(0.5)
    expect(await adjustments()).toContain('grid_limit')
    expect((await world.get(`${world.buildingPath}/state`)).json.power_limit).toEqual({
      ...limit,
      reported_by: 'interface',
    })
    await world.call('DELETE', path(), { key: world.holder.writeKey })
    await heating.settled()
    expect(await power()).toBeGreaterThan(0.8)
    expect((await world.get(path())).text).toBe('null')
  })

  test('is replaced and withdrawn only as the caller has read it, where it says so', async () => {
    const change = (method: 'PUT' | 'DELETE', tag: string | undefined, body?: unknown) =>
      world.call(method, path(), {
        key: world.holder.writeKey,
        headers: { 'if-match': tag ?? '' },
        ...(body !== undefined && { body }),
      })
    const tag = async () => (await world.get(path())).headers.etag as string
    const nothing = await tag()
    expect((await change('PUT', nothing, small(0, 2))).status).toBe(200)
    expect((await change('DELETE', nothing)).status).toBe(412)
    expect((await change('PUT', await tag(), small(0, 3))).status).toBe(200)
    expect((await change('DELETE', '*')).status).toBe(200)
    expect((await world.get(path())).text).toBe('null')
    await heating.settled()
  })

  test('begins and ends by itself, without a reading', async () => {
    await live(2, 17)
    await put(small(0.25, 0.5))
    expect(await power()).toBeGreaterThan(0.5)
    const after = async (minutes: number) => {
      world.clock.advance(minutes * MINUTE_MS)
      await world.gatewaysReport()
      await heating.controlQuiet()
      return power()
    }
    expect(await after(15)).toBeLessThan(0.5)
    expect(await after(15)).toBeGreaterThan(0.5)
  })

  test('goes along with the commands to the gateway, also before it begins', async () => {
    await live(2, 17)
    await put(small(1, 2))
    const gateways = await gatewayValvesOf(world.store, world.holder.buildingId)
    const cellar = gateways.find(({ valves }) => valves.some(({ roomId }) => roomId === world.bathroomId))
    if (!cellar) throw new Error('no gateway')
    const { channel = 0 } = cellar.valves.find(({ roomId }) => roomId === world.bathroomId) ?? {}
    const [valve] = withCircumstances([{ channel, power: 1, window_s: 900 }], cellar, world.clock.now())
    expect(valve?.limits).toMatchObject([{ from_s: 3600, until_s: 7200 }])
    expect(valve?.limits?.[0]?.power).toBeLessThan(0.5)
  })

  test('leaves frost protection and manual power alone', async () => {
    await live(2, 4)
    await put(small(0, 2))
    expect(await power()).toBe(1)
    await world.patch({ manual_power: { enabled: true, power: 0.7 } })
    await heating.settled()
    await live(1, 17)
    expect(await power()).toBe(0.7)
  })

  test.each([
    [{ limit_w: 4199, until: 1 }, 'limit_w must be at least 4200 with basis enwg_14a.'],
    [{ limit_w: 5000, until: -1 }, 'until must be in the future.'],
    [{ limit_w: 5000, until: 49 }, 'until must be at most two days after from.'],
    [{ limit_w: 5000, from: 2, until: 1 }, 'until must be later than from.'],
  ])('refuses %j', async ({ limit_w, until, ...from }, message) => {
    const times = { until: inHours(until), ...('from' in from && { from: inHours(from.from ?? 0) }) }
    const { status, json } = await put({ limit_w, ...times })
    expect([status, json.error]).toEqual([400, { code: 'invalid_value', message }])
    expect((await put({ limit_w, ...times }, world.holder.readKey)).status).toBe(403)
  })

  test('counts as long as a gateway that is heard reports it, and § 14a leaves at least 4.2 kW whatever was sent', async () => {
    const gatewayId = world.holder.gatewayIds[0] as string
    const report = async (power_limit: SourceReport['power_limit']) => {
      await world.store.batch([sourceUpdate(world.store, gatewayId, { lock: null, power_limit: power_limit ?? null })])
      await live(2, 17)
      return (await world.get(path())).json
    }
    expect(await report({ limit_w: 60, basis: 'agreed' })).toMatchObject({ limit_w: 60, reported_by: 'gateway' })
    expect(await power()).toBeLessThan(0.5)
    expect(await report({ limit_w: 60, basis: 'enwg_14a' })).toMatchObject({ limit_w: 4200 })
    expect(await power()).toBeGreaterThan(0.5)
    expect(await report(null)).toBeNull()
    expect(await power()).toBeGreaterThan(0.5)
  })
})
