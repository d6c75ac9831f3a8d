import { type AppAlert, HOUR_MS, type OverviewEntry, urgentByBuilding } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkBuildings } from '../src/people/alerts/watch.ts'

const NEW_BUILDING = { name: 'Cabin', location: { lat: 60, lng: 10 }, timezone: 'Europe/Oslo' }

describe.each(ENGINES)('the overview of many buildings on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await world.gatewaysReport()
    for (const sensor of [BATHROOM_SENSOR, LIVING_ROOM_SENSOR]) await world.report(sensor, { temperatureC: 21 })
  })

  const overview = async (browser = ada): Promise<OverviewEntry[]> => (await browser.call('GET', '/app/overview')).json
  const alerts = async (browser = ada): Promise<AppAlert[]> => (await browser.call('GET', '/app/alerts')).json
  const house = async (browser = ada) => (await overview(browser)).find(({ id }) => id === world.holder.buildingId)
  const inNeed = (entries: OverviewEntry[]) => entries.filter(({ urgent }) => urgent.length > 0).map(({ id }) => id)

  test('home and alerts agree about which buildings need attention, whatever happens', async () => {
    await ada.call('POST', '/app/buildings', NEW_BUILDING)
    const agree = async () => expect(inNeed(await overview())).toEqual([...urgentByBuilding(await alerts()).keys()])
    await agree()
    expect(await house()).toMatchObject({ need: 'fine', urgent: [], silent_since: null })
    await world.report(BATHROOM_SENSOR, { temperatureC: 21, measuredAt: world.clock.now() - 3 * HOUR_MS })
    expect(await house()).toMatchObject({ need: 'attention', urgent: ['sensor_silent'] })
    await agree()
    world.clock.advance(2 * HOUR_MS)
    await checkBuildings(world.store, [world.holder.buildingId], { nowMs: world.clock.now(), silentAfterS: 300 })
    expect(await house()).toMatchObject({ need: 'unavailable', urgent: ['building_silent'] })
    expect((await house())?.silent_since).not.toBeNull()
    await agree()
    const silent = (await alerts()).find(({ kind }) => kind === 'building_silent')
    const until = new Date(world.clock.now() + HOUR_MS).toISOString()
    await ada.call('PUT', `/app/alerts/${silent?.id}/snooze`, { until })
    expect(await house()).toMatchObject({ need: 'unavailable', urgent: [] })
    await agree()
  })

  test('a building without a gateway is unfinished, and needs no attention', async () => {
    const { json } = await ada.call('POST', '/app/buildings', { ...NEW_BUILDING, name: 'Barn' })
    const barn = (await overview()).find(({ id }) => id === json.id)
    expect(barn).toMatchObject({ name: 'Barn', need: 'unfinished', urgent: [], role: 'owner', tags: [] })
  })

  test('names the coldest room and the temperature outdoors, in whole degrees, as long as they are measured', async () => {
    const { buildingId } = world.holder
    await world.report(LIVING_ROOM_SENSOR, { temperatureC: 17.6 })
    const weather = { buildingId, updatedAt: world.clock.now(), temperatureC: -3.4, cloudPct: 0, windDeg: 0, windMs: 0 }
    await world.store.db.insertInto('weather').values(weather).execute()
    expect(await house()).toMatchObject({ coldest: { room: 'Living room', temperature: 18 }, outdoor: -3 })
    world.clock.advance(3 * HOUR_MS)
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.2 })
    expect(await house()).toMatchObject({ coldest: { room: 'Bathroom', temperature: 21 } })
    world.clock.advance(3 * HOUR_MS)
    expect(await house()).toMatchObject({ coldest: null })
    const outdoors = (age: number) =>
      world.store.db
        .updateTable('weather')
        .set({ updatedAt: world.clock.now() - age })
        .execute()
    await outdoors(6 * HOUR_MS - 1)
    expect(await house()).toMatchObject({ outdoor: -3 })
    await outdoors(6 * HOUR_MS)
    expect(await house()).toMatchObject({ outdoor: null })
    await world.store.db.deleteFrom('weather').where('buildingId', '=', buildingId).execute()
    expect(await house()).toMatchObject({ outdoor: null })
  })

  test('a low battery is a reminder', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 21, batteryPct: 8 })
    expect(await house()).toMatchObject({ need: 'fine', urgent: [], reminders: 1 })
  })

  test('an unchanged list is not sent again, although the building has reported meanwhile', async () => {
    const first = await ada.call('GET', '/app/overview')
    expect(first.headers.etag).toBeDefined()
    world.clock.advance(60_000)
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.3 })
    const again = await ada.call('GET', '/app/overview', undefined, { 'if-none-match': first.headers.etag ?? '' })
    expect(again).toMatchObject({ status: 304, text: '' })
    await ada.call('PATCH', `/app/buildings/${world.holder.buildingId}`, { tags: ['North', ' 2026 ', 'north'] })
    const changed = await ada.call('GET', '/app/overview', undefined, { 'if-none-match': first.headers.etag ?? '' })
    expect(changed.status).toBe(200)
    expect((await house())?.tags).toEqual(['North', '2026'])
  })

  test('tags are set by owners and installers, and are short and few', async () => {
    const path = `/app/buildings/${world.holder.buildingId}`
    for (const role of ['owner', 'resident', 'installer'] as const) {
      const email = `${role}@example.org`
      await settleMember(world.store, world.clock, { buildingId: world.holder.buildingId, email, role })
      const answer = await (await signedIn(world, email)).call('PATCH', path, { tags: [role] })
      expect([role, answer.status]).toEqual([role, role === 'resident' ? 403 : 200])
    }
    for (const tags of [[' '], ['x'.repeat(31)], Array.from({ length: 11 }, (_, i) => `tag ${i}`)])
      expect((await ada.call('PATCH', path, { tags })).status).toBe(400)
    expect((await ada.call('PATCH', path, { tags: [] })).json.tags).toEqual([])
  })

  test('tags are in the change log, and a change of them can be undone', async () => {
    const path = `/app/buildings/${world.holder.buildingId}`
    await ada.call('PATCH', path, { tags: ['North'] })
    await ada.call('PATCH', path, { tags: ['South', '2026'] })
    const [latest] = (await ada.call('GET', `${path}/changes`)).json.changes
    expect(latest).toMatchObject({ field: 'tags', before: ['North'], after: ['South', '2026'], can_undo: true })
    expect((await ada.call('POST', `${path}/changes/${latest.sequence}/undo`)).status).toBe(204)
    expect((await house())?.tags).toEqual(['North'])
  })

  test('a guest is shown what the guest’s own rooms need', async () => {
    const { buildingId, roomIds } = world.holder
    const email = 'guest@example.org'
    await settleMember(world.store, world.clock, { buildingId, email, role: 'guest', roomIds: roomIds.slice(1, 2) })
    const guest = await signedIn(world, email)
    await world.report(BATHROOM_SENSOR, { temperatureC: 16 })
    expect((await house())?.coldest?.room).toBe('Bathroom')
    expect((await house(guest))?.coldest?.room).toBe('Living room')
    await world.report(BATHROOM_SENSOR, { temperatureC: 21, measuredAt: world.clock.now() - 3 * HOUR_MS })
    expect(await house(guest)).toMatchObject({ need: 'fine', urgent: [] })
    expect(await house()).toMatchObject({ need: 'attention' })
  })

  test('a page asks for the one building it shows, by its id or by a room', async () => {
    const { buildingId } = world.holder
    const ids = async (query: string, browser = ada) =>
      (await browser.call('GET', `/app/buildings?${query}`)).json.map(({ id }: { id: string }) => id)
    expect(await ids(`id=${buildingId}`)).toEqual([buildingId])
    expect(await ids(`room_id=${world.bathroomId}`)).toEqual([buildingId])
    for (const query of [`id=${world.stranger.buildingId}`, `room_id=${world.stranger.roomIds[0]}`, 'id=none'])
      expect(await ids(query)).toEqual([])
    expect((await ada.call('GET', '/app/buildings?room_id=%00')).status).toBe(400)
  })
})
