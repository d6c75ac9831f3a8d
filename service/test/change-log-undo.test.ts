import { type ChangeEntry, HOUR_MS, timestampOf } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { loggedStateOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(ENGINES)('the page of the change log on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())

  const path = (rest = '') => `/app/buildings/${world.holder.buildingId}${rest}`
  const room = () => `/app/rooms/${world.bathroomId}`
  const changes = async (query = '', reader = ada): Promise<ChangeEntry[]> =>
    (await reader.call('GET', path(`/changes${query}`))).json.changes
  const undo = (sequence: number | undefined, reader = ada) => reader.call('POST', path(`/changes/${sequence}/undo`))

  async function member(role: 'resident' | 'installer' | 'guest'): Promise<Browser> {
    const person = {
      buildingId: world.holder.buildingId,
      email: `${role}@example.org`,
      role,
      roomIds: [world.bathroomId],
    }
    await settleMember(world.store, world.clock, person)
    return signedIn(world, person.email)
  }

  const night = { from: '22:00', to: '06:00', setback: 2 }
  const valves = () => [{ gateway_id: world.holder.gatewayIds[0], channel: 3 }]
  const later = () => timestampOf(world.clock.now() + HOUR_MS)

  test.each<[string, () => Promise<unknown>]>([
    ['a target', () => ada.call('PATCH', room(), { target_temperature: 23 })],
    ['a name', () => ada.call('PATCH', room(), { name: 'Spa' })],
    ['manual power', () => ada.call('PATCH', room(), { manual_power: { enabled: true, power: 1 / 3 } })],
    ['off', () => ada.call('PATCH', room(), { hvac_mode: 'off' })],
    ['a night mode', () => ada.call('PATCH', room(), { night_mode: night })],
    ['a storey', () => ada.call('PATCH', room(), { storey: 'Upstairs' })],
    ['an order of rooms', () => ada.call('PATCH', path(), { room_order: [...world.holder.roomIds].reverse() })],
    ['a floor type', () => ada.call('PATCH', room(), { floor_type: 'slab' })],
    ['a sensor', () => ada.call('PATCH', room(), { sensor_id: LIVING_ROOM_SENSOR })],
    [
      'further sensors',
      () =>
        ada.call('PATCH', room(), { other_sensors: { use: 'coldest', sensors: [{ id: BATHROOM_SENSOR, weight: 2 }] } }),
    ],
    ['valves', () => ada.call('PATCH', room(), { valves: valves() })],
    ['an override', () => ada.call('PUT', `${room()}/override`, { target_temperature: 25, hours: 2 })],
    ['an absence', () => ada.call('PATCH', path(), { away: { until: later(), temperature: 15 } })],
    ['an absence without an end', () => ada.call('PATCH', path(), { away: { until: null, temperature: 15 } })],
    ['a place', () => ada.call('PATCH', path(), { location: { lat: 48.1, lng: 11.6 } })],
    ['saving', () => ada.call('PATCH', path(), { saving: true })],
  ])('%s is as before once it is undone, and the undoing is logged', async (_, change) => {
    const before = await loggedStateOf(world.store, world.holder.buildingId)
    await change()
    const [latest] = await changes()
    expect(latest).toMatchObject({ can_undo: true, actor: { kind: 'person', name: 'ada@example.org' } })
    expect((await undo(latest?.sequence)).status).toBe(204)
    expect(await loggedStateOf(world.store, world.holder.buildingId)).toEqual(before)
    const [undone, undoneBefore] = await changes()
    expect(undone).toMatchObject({ before: latest?.after, after: latest?.before })
    expect(undoneBefore?.can_undo).toBe(false)
  })

  test('what has been changed again since is not undone', async () => {
    await ada.call('PATCH', room(), { target_temperature: 18 })
    await ada.call('PATCH', room(), { target_temperature: 19 })
    const [latest, older] = await changes()
    expect([latest?.can_undo, older?.can_undo]).toEqual([true, false])
    expect((await undo(older?.sequence)).json.error.code).toBe('taken')
    expect((await world.bathroom()).target_temperature).toBe(19)
  })

  test('an override whose time is over does not come back', async () => {
    await ada.call('PUT', `${room()}/override`, { target_temperature: 25, hours: 1 })
    await ada.call('DELETE', `${room()}/override`)
    const [ended] = await changes()
    world.clock.advance(2 * HOUR_MS)
    ada = await signedIn(world)
    await undo(ended?.sequence)
    const { override } = (await ada.call('GET', '/app/buildings')).json[0].rooms[0]
    expect(override).toBe(null)
  })

  test('roles, keys and gateways cannot be undone', async () => {
    await ada.call('POST', path('/gateways'), { name: 'shed' })
    const [added] = await changes()
    expect(added).toMatchObject({ field: 'gateway', can_undo: false })
    expect((await undo(added?.sequence)).json.error.code).toBe('invalid_value')
    expect((await undo(999_999)).status).toBe(404)
  })

  test('residents and installers see no members and keys, undo what they may change, and guests see nothing', async () => {
    await ada.call('POST', path('/invitations'), { role: 'resident' })
    await ada.call('PATCH', room(), { comfort_band: 0.7 })
    await ada.call('PATCH', room(), { area_m2: 11 })
    const [resident, installer, guest] = [await member('resident'), await member('installer'), await member('guest')]
    const undoable = async (reader: Browser) =>
      (await changes('', reader)).filter(({ can_undo }) => can_undo).map(({ field }) => field)
    expect(await undoable(resident)).toContain('comfort_band')
    expect(await undoable(resident)).not.toContain('area_m2')
    expect(await undoable(installer)).toContain('area_m2')
    expect(await undoable(installer)).not.toContain('comfort_band')
    const areaOf = async () => (await changes('', resident)).find(({ field }) => field === 'area_m2')?.sequence
    expect((await undo(await areaOf(), resident)).json.error.code).toBe('not_permitted')
    const ofOwner = await changes('?topic=access')
    expect(ofOwner.map(({ field }) => field)).toContain('invitation')
    expect(await changes('?topic=access', resident)).toEqual([])
    expect((await changes('', installer)).some(({ field }) => field === 'invitation')).toBe(false)
    const invitation = ofOwner.find(({ field }) => field === 'invitation')?.sequence
    expect((await undo(invitation, resident)).status).toBe(404)
    for (const rest of ['/changes', '/changes.csv'])
      expect((await guest.call('GET', path(rest))).json.error.code).toBe('not_permitted')
  })

  test('is filtered by room, by whom and by what, and read page by page', async () => {
    await world.patch({ target_temperature: 21.5 })
    await ada.call('PATCH', path(), { name: 'Lakeside' })
    expect((await changes('?by=keys')).every(({ actor }) => actor.kind !== 'person')).toBe(true)
    expect((await changes('?by=keys'))[0]).toMatchObject({
      actor: { kind: 'key', name: 'write key', holder: 'ada@example.org' },
      after: 21.5,
    })
    expect((await changes(`?room=${world.bathroomId}`)).every(({ room_id }) => room_id === world.bathroomId)).toBe(true)
    expect((await changes('?topic=set_up'))[0]).toMatchObject({ field: 'name', after: 'Lakeside' })
    for (let n = 0; n < 30; n++) for (const C of [20, 21]) await world.patch({ target_temperature: C })
    const first = (await ada.call('GET', path('/changes'))).json
    const second = (await ada.call('GET', path(`/changes?before=${first.next}`))).json
    const numbers = [...first.changes, ...second.changes].map(({ sequence }: ChangeEntry) => sequence)
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(first.changes).toHaveLength(50)
  })

  test('is a table for spreadsheets, in which a name is no formula', async () => {
    await ada.call('PATCH', room(), { name: '=1+1, "Bad"' })
    await ada.call('PATCH', room(), { target_temperature: 24 })
    const { text, headers } = await ada.call('GET', path('/changes.csv'))
    expect(headers['content-type']).toMatch(/^text\/csv/)
    const [head, ...lines] = text.split('\n')
    expect(head).toBe('time,by,name,role,holder,subject,field,before,after')
    const at = timestampOf(world.clock.now())
    expect(lines[0]).toBe(`${at},person,ada@example.org,owner,,"'=1+1, ""Bad""",target_temperature,21,24`)
  })
})
