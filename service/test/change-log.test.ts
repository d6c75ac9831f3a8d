import { AppRoomPatch, BuildingPatch, DAY_MS, HOUR_MS, type HouseRoom, timestampOf } from '@hypocaust/domain'
import { Browser, openSite, PASSWORD, signedIn } from '@hypocaust/testing/browser.ts'
import { type LogRow, logOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { BuildingRooms } from '../src/house/buildings/building-rooms.ts'
import { forgetChanges } from '../src/house/change-log/forget.ts'
import { BUILDING_SETTINGS, ROOM_SETTINGS } from '../src/house/change-log/settings.ts'
import { rotateToken } from '../src/house/gateways/gateways.ts'
import { addRoom } from '../src/house/rooms/manage.ts'
import { removeEndedRoles } from '../src/people/members/ended.ts'

const QUOTAS = {
  max_sensors_per_building: 500,
  max_rooms_per_building: 2,
  max_gateways_per_building: 20,
  max_buildings_per_account: 10,
  max_keys_per_account: 10,
}

describe.each(ENGINES)('the change log on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())

  const building = (rest = '') => `/app/buildings/${world.holder.buildingId}${rest}`
  const log = () => logOf(world.store, world.holder.buildingId)

  /** What is logged while something is done. */
  async function loggedBy(work: () => Promise<unknown>): Promise<LogRow[]> {
    const before = (await log()).length
    await work()
    return (await log()).slice(before)
  }

  const by = ({ actorKind, actorName, actorRole }: LogRow) => [actorKind, actorName, actorRole]

  test('has who changed what, from what to what, and when', async () => {
    const [entry, ...others] = await loggedBy(() =>
      ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { target_temperature: 21 }),
    )
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      changedAt: world.clock.now(),
      actorKind: 'person',
      actorName: 'ada@example.org',
      actorRole: 'owner',
      roomId: world.bathroomId,
      subject: 'Bathroom',
      field: 'target_temperature',
      before: [20, null],
      after: [21, null],
    })
  })

  test('has nothing where nothing changes', async () => {
    const same = () => ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { target_temperature: 21, name: 'Bathroom' })
    await same()
    expect(await loggedBy(same)).toEqual([])
  })

  test('names an API key and its holder’s role, also through an assistant', async () => {
    const [entry] = await loggedBy(() => world.patch({ target_temperature: 22 }))
    expect(entry && by(entry)).toEqual(['key', 'write key', 'owner'])
    expect(entry?.actorAccountId).toBe(world.holder.accountId)
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'change_room',
        arguments: {
          building_id: world.holder.buildingId,
          room_id: world.bathroomId,
          change: { target_temperature: 23 },
        },
      },
    }
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
    const [assistant] = await loggedBy(() =>
      world.call('POST', '/mcp', { key: world.holder.writeKey, body: call, headers }),
    )
    expect(assistant && [...by(assistant), assistant.after]).toEqual(['key', 'write key', 'owner', [23, null]])
  })

  test('tells an installer from an owner, and Matter and the command line from people', async () => {
    const { store, clock, holder } = world
    const installer = { buildingId: holder.buildingId, email: 'ines@example.org', role: 'installer' as const }
    await settleMember(store, clock, installer)
    const ines = await signedIn(world, installer.email)
    const [byInstaller] = await loggedBy(() => ines.call('PATCH', `/app/rooms/${world.bathroomId}`, { area_m2: 9 }))
    expect(byInstaller && by(byInstaller)).toEqual(['person', installer.email, 'installer'])
    const matter = new BuildingRooms(store, clock, { silentAfterS: 300 }, holder.buildingId)
    const [byMatter] = await loggedBy(() => matter.patch(world.bathroomId, { target_temperature: 19 }))
    expect(byMatter && by(byMatter)).toEqual(['matter', '', null])
    const options = { accountId: holder.accountId, overwriteSettings: true, prune: false }
    const [first, ...others] = HOUSE.rooms as [HouseRoom, ...HouseRoom[]]
    const house = { ...HOUSE, rooms: [{ ...first, area_m2: null }, ...others] }
    const byCommand = await loggedBy(() => applyHouse(store, clock, house, options))
    expect(byCommand.map(({ field, before, after }) => [field, before, after])).toEqual([
      ['target_temperature', [19, null], [20, null]],
      ['area_m2', [9], [null]],
    ])
    expect(byCommand.map(({ actorKind }) => actorKind)).toEqual(['command', 'command'])
  })

  test('has what ends by itself, and that the control learns a floor anew', async () => {
    const { clock } = world
    const heating = heatingOf(world)
    await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
    await heating.control(world.holder.buildingId)
    const until = timestampOf(clock.now() + HOUR_MS)
    await ada.call('PUT', `/app/rooms/${world.bathroomId}/override`, { target_temperature: 24, until })
    await ada.call('PATCH', building(), { away: { until, temperature: 15 } })
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { floor_type: 'dry' })
    const own = await loggedBy(async () => {
      clock.advance(2 * HOUR_MS)
      await heating.control(world.holder.buildingId)
      await heating.control(world.holder.buildingId)
    })
    expect(own.map((entry) => [...by(entry), entry.field, entry.after])).toEqual([
      ['rule', 'override_ended', null, 'override', [null]],
      ['control', '', null, 'learning', ['dry']],
      ['rule', 'away_ended', null, 'away', [null, null, null, null]],
    ])
    expect((await ada.call('GET', '/app/buildings')).json[0]).toMatchObject({ away: null })
  })

  test('has the end of a role on its date, once', async () => {
    const { store, clock, holder } = world
    const guest = { buildingId: holder.buildingId, email: 'gus@example.org', role: 'guest' as const }
    const endsAt = clock.now() + HOUR_MS
    const { accountId } = await settleMember(store, clock, { ...guest, roomIds: [world.bathroomId], endsAt })
    expect(await loggedBy(() => removeEndedRoles(store, clock))).toEqual([])
    clock.advance(HOUR_MS)
    const [entry, ...others] = await loggedBy(() =>
      Promise.all([removeEndedRoles(store, clock), removeEndedRoles(store, clock)]),
    )
    expect(others).toEqual([])
    expect(entry && [...by(entry), entry.subject, entry.field, entry.before, entry.after]).toEqual([
      ...['rule', 'access_ended', null, guest.email, 'role'],
      ['guest', JSON.stringify([world.bathroomId]), endsAt],
      null,
    ])
    const left = await store.db.selectFrom('members').select('role').where('accountId', '=', accountId).execute()
    expect(left).toEqual([])
  })

  test('what a new room begins with is no change that could be undone', async () => {
    const [gatewayId] = world.holder.gatewayIds
    const valves = [{ gateway_id: gatewayId, channel: 7 }]
    const room = { name: 'Attic', floor_type: 'dry', sensor_id: BATHROOM_SENSOR, valves }
    const added = await loggedBy(() => ada.call('POST', building('/rooms'), room))
    expect(added.map(({ field, subject }) => [field, subject])).toEqual([['room', 'Attic']])
    const moved = await loggedBy(() => ada.call('POST', building('/rooms'), { ...room, name: 'Loft' }))
    expect(moved.map(({ field, subject, after }) => [field, subject, after])).toEqual([
      ['room', 'Loft', ['Loft']],
      ['valves', 'Attic', []],
    ])
  })

  test('has gateways, their pairing, invitations, roles and keys', async () => {
    const { store, clock } = world
    const entries = await loggedBy(async () => {
      const { json: gateway } = await ada.call('POST', building('/gateways'), { name: 'shed' })
      await new Browser(world).call('POST', '/app/gateways/pair', { code: gateway.code })
      await rotateToken(store, clock, gateway.gateway_id)
      await ada.call('DELETE', `/app/gateways/${gateway.gateway_id}`)
      const { json: invitation } = await ada.call('POST', building('/invitations'), { role: 'resident' })
      const secret = new URL(invitation.link).hash.slice(1)
      const account = { email: 'rosa@example.org', password: PASSWORD, invitation: secret }
      const rosa = new Browser(world)
      await rosa.call('POST', '/app/accounts', account)
      const { json: key } = await rosa.call('POST', '/app/keys', {
        name: 'Tablet',
        permission: 'write',
        expires_at: null,
      })
      await rosa.call('DELETE', `/app/keys/${key.id}`)
      await rosa.call('DELETE', building('/membership'))
    })
    expect(entries.map((entry) => [entry.field, entry.subject, entry.actorName, entry.before, entry.after])).toEqual([
      ['gateway', 'shed', 'ada@example.org', null, ['shed']],
      ['gateway_paired', 'shed', 'shed', null, null],
      ['gateway_token', 'shed', '', null, null],
      ['gateway', 'shed', 'ada@example.org', ['shed'], null],
      ['invitation', '', 'ada@example.org', null, ['resident', null, null]],
      ['role', 'rosa@example.org', 'rosa@example.org', null, ['resident', null, null]],
      ['key', 'Tablet', 'rosa@example.org', null, ['Tablet', 'write']],
      ['key', 'Tablet', 'rosa@example.org', ['Tablet', 'write'], null],
      ['role', 'rosa@example.org', 'rosa@example.org', ['resident', null, null], null],
    ])
  })

  test('a key limited to another building is not logged in this one', async () => {
    const { json } = await ada.call('POST', '/app/buildings', {
      name: 'Twin',
      location: HOUSE.location,
      timezone: HOUSE.timezone,
    })
    const key = { name: 'Twin only', permission: 'read', expires_at: null, building_ids: [json.id] }
    expect(await loggedBy(() => ada.call('POST', '/app/keys', key))).toEqual([])
    expect((await logOf(world.store, json.id)).map(({ field }) => field)).toEqual(['building', 'key'])
  })

  test('a change that is refused or rolled back leaves no entry', async () => {
    const { store, clock, holder } = world
    const stale = { 'if-match': '"stale"' }
    const room = { name: 'Hall', floor_type: 'dry' as const, sensor_id: BATHROOM_SENSOR, valves: [] }
    const entries = await loggedBy(async () => {
      const answers = [
        await world.patch({ target_temperature: 30 }, { headers: stale }),
        await world.patch({ target_temperature: 30, sensor_id: 'ff:ff:ff:ff:ff:ff' }),
        await ada.call('PATCH', building(`/members/${holder.accountId}`), { role: 'resident' }),
        await ada.call('DELETE', building('/membership')),
        await ada.call('PATCH', building(), { name: 'Other', timezone: 'Nowhere/City' }),
        await world.call('PATCH', world.bathroomPath, { key: holder.readKey, body: { target_temperature: 30 } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([412, 400, 409, 409, 400, 403])
      // The database counts in the same transaction, after the room and its entry are there.
      await expect(addRoom(store, clock, holder.buildingId, room, QUOTAS)).rejects.toThrow(/rooms/)
    })
    expect(entries).toEqual([])
  })

  test('has no secret: no key, token, password, code, secret of an invitation, nor a hash of one', async () => {
    const { store, holder, clock } = world
    const { json: pairing } = await ada.call('POST', building('/gateways'), { name: 'garage' })
    const { json: invitation } = await ada.call('POST', building('/invitations'), {
      role: 'owner',
      email: 'x@example.org',
    })
    const { json: key } = await ada.call('POST', '/app/keys', { name: 'Wall', permission: 'read', expires_at: null })
    const token = await rotateToken(store, clock, holder.gatewayIds[0] ?? '')
    await ada.call('DELETE', building(`/invitations/${invitation.id}`))
    const { db } = store
    const hashes = [
      ...(await db.selectFrom('apiKeys').select(['hash']).execute()).map(({ hash }) => hash),
      ...(await db.selectFrom('gateways').select(['tokenHash', 'mqttHash']).execute()).flatMap((row) => [
        row.tokenHash,
        row.mqttHash,
      ]),
    ]
    const secret = new URL(invitation.link).hash.slice(1)
    const secrets = [key.value, token, secret, pairing.code, PASSWORD, holder.writeKey, holder.readKey, ...hashes]
    const text = JSON.stringify(await db.selectFrom('changeLog').selectAll().execute())
    expect(text).toContain('Wall')
    for (const each of secrets) if (each) expect(text).not.toContain(each)
    expect(secrets.filter((each) => each).length).toBeGreaterThan(8)
  })

  test('is forgotten after the days that are set', async () => {
    const { clock, store } = world
    const [entry] = await loggedBy(() => ada.call('PATCH', building(), { name: 'Lakeside' }))
    expect(entry?.before).toEqual(['Lakeside 12'])
    clock.advance(30 * DAY_MS)
    await ada.call('PATCH', building(), { name: 'Lakeside 12' })
    await forgetChanges(store, clock.now() + 1, 30)
    expect((await log()).map(({ field, after }) => [field, after])).toEqual([['name', ['Lakeside 12']]])
  })
})

test('every field of a room and of a building that can be written has its place in the log', () => {
  /** Fields that are written into a setting of another name. */
  const WITHIN: Record<string, string> = { night_mode: 'programme', hvac_mode: 'manual_power', saving: 'comfort' }
  const missing = (schema: { properties: object }, settings: { field: string }[]) =>
    Object.keys(schema.properties).filter((name) => !settings.some(({ field }) => field === (WITHIN[name] ?? name)))
  expect(missing(AppRoomPatch, [...ROOM_SETTINGS, { field: 'valves' }])).toEqual([])
  expect(missing(BuildingPatch, BUILDING_SETTINGS)).toEqual([])
})
