import { DAY_MS, FEELINGS, type Feeling, HOUR_MS, timestampOf } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import type { World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe.each(ENGINES)('"too cold" and "too warm" on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await world.store.db.deleteFrom('comfortVotes').execute()
    await world.reset()
    await world.call('DELETE', `${world.bathroomPath}/override`, { key: world.holder.writeKey })
    await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
  })

  const room = () => `/app/rooms/${world.bathroomId}`
  const press = (feeling: Feeling, key = world.holder.writeKey) =>
    world.call('POST', `${world.bathroomPath}/feedback`, { key, body: { feeling } })
  const proposal = async () => (await world.get(`${world.buildingPath}/state`)).json.proposals[world.bathroomId]
  const votes = () => world.store.db.selectFrom('comfortVotes').selectAll().orderBy('hourAt').execute()
  const settings = () =>
    world.store.db
      .selectFrom('rooms')
      .select(['id', 'targetC', 'targetHold', 'nightMode', 'programme', 'manualEnabled', 'presetMode', 'comfortBandK'])
      .orderBy('id')
      .execute()

  /** A press each day at the same time, in a room that is as warm as it should be. */
  async function pressOn(days: number, feeling: Feeling = 'too_cold'): Promise<void> {
    for (let day = 0; day < days; day++) {
      await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
      expect((await press(feeling)).status).toBe(200)
      world.clock.advance(DAY_MS)
    }
  }

  test('a press sets a small override for three hours, and is remembered with what was measured', async () => {
    const until = timestampOf(world.clock.now() + 3 * HOUR_MS)
    expect((await press('too_cold')).json).toEqual({ target_temperature: 20.5, until })
    expect((await world.get(`${world.bathroomPath}/override`)).json).toEqual({ target_temperature: 20.5, until })
    expect(await votes()).toMatchObject([
      { roomId: world.bathroomId, pressedAt: world.clock.now(), feeling: 'too_cold', setpointC: 20, temperatureC: 20 },
    ])
    expect((await press('too_cold')).json).toMatchObject({ target_temperature: 21 })
    expect(await votes()).toMatchObject([{ setpointC: 20.5 }])
    expect((await ada.call('POST', `${room()}/feedback`, { feeling: 'too_warm' })).json).toMatchObject({
      override: { target_temperature: 19.5 },
      proposal: null,
    })
  })

  test('each of several presses at the same moment counts', async () => {
    const pressed = await Promise.all([1, 2, 3].map(() => press('too_cold')))
    expect(pressed.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await world.get(`${world.bathroomPath}/override`)).json).toMatchObject({ target_temperature: 21.5 })
  })

  test('presses are forgotten after four weeks', async () => {
    await press('too_cold')
    world.clock.advance(29 * DAY_MS)
    await press('too_warm')
    expect(await votes()).toMatchObject([{ feeling: 'too_warm' }])
  })

  test('a room that is off or under manual power is left as it is', async () => {
    await world.patch({ hvac_mode: 'off' })
    expect(await press('too_cold')).toMatchObject({ status: 400, json: { error: { code: 'invalid_value' } } })
    expect([await votes(), (await world.get(`${world.bathroomPath}/override`)).json]).toEqual([[], null])
    await world.patch({ hvac_mode: 'heat' })
    expect(await press('hot' as Feeling)).toMatchObject({ status: 400, json: { error: { code: 'invalid_value' } } })
    expect(await press('too_cold', world.holder.readKey)).toMatchObject({ status: 403 })
  })

  test('a guest may press for the rooms of the stay, and for no other', async () => {
    const guest = await settleMember(world.store, world.clock, {
      buildingId: world.holder.buildingId,
      email: 'guest@example.org',
      role: 'guest',
      roomIds: [world.bathroomId],
    })
    expect((await press('too_warm', guest.writeKey)).status).toBe(200)
    const [, other = ''] = world.holder.roomIds
    const elsewhere = `${world.roomsPath}/${other}/feedback`
    expect(await world.call('POST', elsewhere, { key: guest.writeKey, body: { feeling: 'too_warm' } })).toMatchObject({
      status: 404,
    })
  })

  test('the third day proposes another programme; accepted it counts, undone it is proposed again', async () => {
    await pressOn(2)
    expect(await proposal()).toBeNull()
    await pressOn(1)
    const found = { feeling: 'too_cold', days: 3, setpoint: 20, proposed_setpoint: 20.5 }
    expect(await proposal()).toMatchObject(found)
    const before = await settings()
    const { change, ...shown } = (await ada.call('GET', '/app/buildings')).json[0].rooms[0].proposal
    expect(shown).toEqual(await proposal())
    expect((await ada.call('POST', `${room()}/what-if`, change)).status).toBe(200)
    expect(await settings()).toEqual(before)
    expect((await ada.call('PATCH', room(), change)).json).toMatchObject({ target_temperature: 20.5, proposal: null })
    const log = (await ada.call('GET', `/app/buildings/${world.holder.buildingId}/changes`)).json.changes
    // A change of the target ends the override of the last press.
    const made = log.slice(0, 3)
    const fields = made.map(({ field }: { field: string }) => field)
    expect(fields.sort()).toEqual(['override', 'programme', 'target_temperature'])
    const changes = made.map(({ sequence }: { sequence: number }) => sequence)
    const undo = `/app/buildings/${world.holder.buildingId}/changes/undo`
    expect((await ada.call('POST', undo, { changes })).status).toBeLessThan(300)
    expect(await settings()).toEqual(before)
    expect(await proposal()).toMatchObject(found)
  })

  test('a proposal that was dismissed comes again only after new presses', async () => {
    await pressOn(3, 'too_warm')
    expect(await proposal()).toMatchObject({ feeling: 'too_warm', proposed_setpoint: 19.5 })
    expect((await ada.call('DELETE', `${room()}/proposal`)).json).toMatchObject({ proposal: null })
    expect(await proposal()).toBeNull()
    await pressOn(2, 'too_warm')
    expect(await proposal()).toBeNull()
    await pressOn(1, 'too_warm')
    expect(await proposal()).not.toBeNull()
  })

  test('no number of presses changes a setting, and no time after them', async () => {
    const deed = fc.record({
      feeling: fc.constantFrom<Feeling>(...FEELINGS),
      temperatureC: fc.integer({ min: 17, max: 24 }),
      hours: fc.integer({ min: 0, max: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 8 }), async (deeds) => {
        const before = await settings()
        for (const { feeling, temperatureC, hours } of deeds) {
          await world.report(BATHROOM_SENSOR, { temperatureC })
          expect((await press(feeling)).status).toBe(200)
          world.clock.advance(hours * HOUR_MS)
          await proposal()
        }
        expect(await settings()).toEqual(before)
        world.clock.advance(4 * HOUR_MS)
        expect((await world.get(`${world.bathroomPath}/override`)).json).toBeNull()
        expect((await world.get(`${world.bathroomPath}/outlook`)).json).toMatchObject({
          setpoint: 20,
          reason: 'target',
        })
      }),
      { numRuns: runs(20) },
    )
  })
})
