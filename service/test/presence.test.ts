import { DAY_MS, HOUR_MS, MINUTE_MS, timestampOf } from '@hypocaust/domain'
import { logOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { appBuildingsOf, changeBuilding } from '../src/house/buildings/manage.ts'
import { changeRoom } from '../src/house/rooms/manage.ts'

const RULE = { after_minutes: 30, target_temperature: 17, warm_again_hours: 6 }

describe.each(ENGINES)('who is home, on %s', (engine) => {
  const house = heatedWorld(engine)
  const { live } = house
  let world: World

  beforeEach(() => {
    ;({ world } = house)
  })

  const path = () => `${world.buildingPath}/presence`
  const report = (people: Record<string, boolean | null>, key = world.holder.writeKey) =>
    world.call('PUT', path(), {
      key,
      body: { people: Object.entries(people).map(([name, home]) => ({ name, home })) },
    })
  const presence = async () => (await world.get(path())).json
  const outlook = async () => (await world.get(`${world.bathroomPath}/outlook`)).json
  const choose = async (rule: typeof RULE | null) => {
    await changeBuilding(world.store, world.clock, world.holder.buildingId, { presence_rule: rule })
    await house.control()
  }
  const usedBy = async (used_by: string[] | null) => {
    const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
    await changeRoom(world.store, world.clock, scope, { used_by })
    await house.control()
  }
  /** As a tracker does, which goes on reporting. */
  const awayFor = async (minutes: number, people: Record<string, boolean> = { Anna: false }) => {
    await report(people)
    world.clock.advance(minutes * MINUTE_MS)
    await live(1, 20)
  }

  test('comes from several sources, each with people of its own, and the last report of each counts', async () => {
    expect(await presence()).toEqual({ people: [], rule: null })
    const first = timestampOf(world.clock.now())
    expect((await report({ Anna: true, ' Router ': false })).status).toBe(200)
    world.clock.advance(HOUR_MS)
    const { status, json } = await report({ Ben: true, Anna: true })
    expect(status).toBe(200)
    const now = timestampOf(world.clock.now())
    expect(json).toEqual({
      people: [
        { name: 'Anna', home: true, changed_at: first, reported_at: now },
        { name: 'Router', home: false, changed_at: first, reported_at: first },
        { name: 'Ben', home: true, changed_at: now, reported_at: now },
      ],
      rule: null,
    })
    await report({ Router: null })
    expect((await presence()).people.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Ben'])
  })

  test('leaves no trace of who came and went when, neither in the change log nor in the state', async () => {
    const before = await logOf(world.store, world.holder.buildingId)
    await report({ Anna: true })
    await report({ Anna: false })
    await report({ Anna: true })
    expect(await logOf(world.store, world.holder.buildingId)).toEqual(before)
    const state = (await world.get(`${world.buildingPath}/state`)).text
    expect(state).not.toContain('Anna')
  })

  test('changes no room without a rule', async () => {
    await live(5, 20)
    await awayFor(3 * 60)
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target' })
  })

  test('lowers the rooms once nobody has been home for long enough, until somebody comes', async () => {
    await live(5, 20)
    await choose(RULE)
    await awayFor(28)
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target' })
    world.clock.advance(2 * MINUTE_MS)
    await live(1, 20)
    const lowered = await outlook()
    expect(lowered).toMatchObject({ reason: 'presence', until: null, next: null })
    expect(lowered.setpoint).toBeLessThan(19.9)
    expect(lowered.setpoint).toBeGreaterThanOrEqual(17)
    expect((await world.bathroom()).target_temperature).toBe(20)
    await report({ Anna: true })
    await house.heating.settled()
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target' })
  })

  test('lowers a room less the sooner it has to be warm again', async () => {
    const loweredTo = async (hours: number) => {
      await choose(null)
      await choose({ ...RULE, target_temperature: 10, warm_again_hours: hours })
      return (await outlook()).setpoint
    }
    await live(5, 20)
    await awayFor(60)
    const setpoints = [await loweredTo(1), await loweredTo(6), await loweredTo(24)]
    expect(setpoints).toEqual(setpoints.toSorted((a, b) => b - a))
    expect(new Set(setpoints).size).toBe(3)
  })

  test('counts people who were not reported for a day as home, also after a restart', async () => {
    await live(5, 20)
    await choose(RULE)
    await awayFor(60)
    house.restart()
    await live(1, 20)
    expect(await outlook()).toMatchObject({ reason: 'presence' })
    world.clock.advance(DAY_MS)
    await live(1, 20)
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target' })
    expect((await presence()).people).toMatchObject([{ name: 'Anna', home: null }])
  })

  test('reports that only repeat change neither the revision nor the plan', async () => {
    await live(5, 20)
    await choose(RULE)
    await awayFor(60)
    const columns = ['revisedAt', 'presence'] as const
    const row = () =>
      world.store.db
        .selectFrom('buildings')
        .select(columns)
        .where('id', '=', world.holder.buildingId)
        .executeTakeFirstOrThrow()
    const before = await row()
    const block = async () => {
      const { state } = await world.store.db
        .selectFrom('controlStates')
        .select('state')
        .where('roomId', '=', world.bathroomId)
        .executeTakeFirstOrThrow()
      return JSON.parse(state).block.key
    }
    const key = await block()
    world.clock.advance(MINUTE_MS)
    await report({ Anna: false })
    await live(1, 20)
    expect((await row()).presence).not.toBe(before.presence)
    expect((await row()).revisedAt).toBe(before.revisedAt)
    expect(await block()).toBe(key)
  })

  test('a room counts as used by the people who were chosen for it, or always', async () => {
    await live(5, 20)
    await choose(RULE)
    await usedBy(['Anna'])
    await awayFor(60, { Anna: false, Ben: true })
    expect(await outlook()).toMatchObject({ reason: 'presence' })
    await usedBy(['Ben'])
    expect(await outlook()).toMatchObject({ reason: 'target' })
    await usedBy(['Anna', 'Nobody has heard of'])
    expect(await outlook()).toMatchObject({ reason: 'target' })
    await report({ Ben: false })
    await usedBy([])
    world.clock.advance(HOUR_MS)
    await live(1, 20)
    expect(await outlook()).toMatchObject({ reason: 'target' })
  })

  test.each([
    [{ people: [] }, 'invalid_value'],
    [{ people: [{ name: '  ', home: true }] }, 'invalid_value'],
    [{ people: [{ name: 'Anna', home: 'yes' }] }, 'invalid_value'],
    [{ people: [{ name: 'Anna' }] }, 'invalid_value'],
    [{ people: [{ name: 'Anna', home: true, changed_at: '2026-01-10T08:15:03.000Z' }] }, 'unknown_field'],
    [{ people: Array.from({ length: 31 }, (_, i) => ({ name: `P${i}`, home: true })) }, 'invalid_value'],
  ])('refuses %j', async (body, code) => {
    const { status, json } = await world.call('PUT', path(), { key: world.holder.writeKey, body })
    expect([status, json.error.code]).toEqual([400, code])
  })

  test('is of thirty people at most, and takes each report whole or not at all', async () => {
    const people = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`P${from + i}`, true]))
    expect((await report(people(0, 30))).status).toBe(200)
    expect((await report({ ...people(0, 1), Another: true, P1: false })).json.error.code).toBe('invalid_value')
    expect((await presence()).people.every(({ home }: { home: boolean }) => home)).toBe(true)
    expect((await report({ P0: null, Another: true })).status).toBe(200)
  })

  test('keeps what two sources report at the same moment', async () => {
    const names = Array.from({ length: 5 }, (_, i) => `P${i}`)
    await Promise.all(names.map((name) => report({ [name]: true })))
    expect((await presence()).people.map(({ name }: { name: string }) => name).toSorted()).toEqual(names)
  })

  test('is for those who may set absences: a guest neither sees nor reports it', async () => {
    await report({ Anna: true })
    const guest = await settleMember(world.store, world.clock, {
      buildingId: world.holder.buildingId,
      email: `guest-${engine}@example.org`,
      role: 'guest',
      roomIds: [world.bathroomId],
    })
    const seen = await world.call('GET', path(), { key: guest.readKey })
    expect([seen.status, seen.json.error.code]).toEqual([403, 'not_permitted'])
    expect((await report({ Anna: false }, guest.writeKey)).status).toBe(403)
    const shown = await appBuildingsOf(world.store, guest.accountId, 'all', { silentAfterS: 300 }, world.clock.now())
    expect(shown).toMatchObject([{ presence: null }])
  })

  test('is not written with a key that may only read, nor where it has changed since', async () => {
    expect((await report({ Anna: true }, world.holder.readKey)).json.error.code).toBe('read_only_key')
    const { headers } = await world.get(path())
    await report({ Anna: true })
    const { status } = await world.call('PUT', path(), {
      key: world.holder.writeKey,
      headers: { 'if-match': String(headers.etag) },
      body: { people: [{ name: 'Anna', home: false }] },
    })
    expect(status).toBe(412)
    expect((await presence()).people).toMatchObject([{ home: true }])
  })
})
