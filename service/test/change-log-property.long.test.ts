import { HOUR_MS, timestampOf } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { type LoggedState, loggedStateOf, logOf, replayed } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, HOUSE, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { addGateway, removeGateway } from '../src/house/gateways/gateways.ts'

const CONTACT = 'aa:00:01'

/** One request or command; `n` chooses among the rooms there are. */
type Deed =
  | { kind: 'v1' | 'app'; n: number; patch: object }
  | { kind: 'if-match'; n: number; targetC: number; isCurrent: boolean }
  | { kind: 'v1 override' | 'app override'; n: number; targetC: number | 'off'; hours: number }
  | { kind: 'end override'; n: number }
  | { kind: 'override all'; boost: number }
  | { kind: 'v1 away' | 'app away'; hours: number | null }
  | { kind: 'building'; patch: object }
  | { kind: 'valves'; n: number; channels: number[] }
  | { kind: 'add room' | 'remove room'; n: number }
  | { kind: 'contact'; n: number | null }
  | { kind: 'copy programme'; n: number }
  | { kind: 'role'; role: 'owner' | 'resident' | 'installer' }
  | { kind: 'leave' }
  | { kind: 'house file'; overwriteSettings: boolean; prune: boolean; rooms: number }
  | { kind: 'gateway' }
  | { kind: 'control'; hours: number }
  | { kind: 'at once'; deeds: Deed[] }

const n = fc.nat(3)
const targetC = fc.constantFrom(19, 20.5, 22)
const patch = fc.oneof(
  fc.record({ target_temperature: targetC }),
  fc.record({ name: fc.constantFrom('Bath', 'Hall', 'Küche "oben"') }),
  fc.record({ preset_mode: fc.constantFrom('none', 'low', 'high') }),
  fc.record({ hvac_mode: fc.constantFrom('heat', 'off') }),
  fc.record({ manual_power: fc.record({ enabled: fc.boolean(), power: fc.constantFrom(0, 0.25, 1 / 3) }) }),
  fc.record({ sensor_id: fc.constantFrom(BATHROOM_SENSOR, LIVING_ROOM_SENSOR) }),
  fc.record({ target_temperature: targetC, preset_mode: fc.constantFrom('none', 'low') }),
)
const NIGHT = { start: '22:00', end: '06:00', setback: 2 }
const WEEK = { monday: [{ at: '06:00', setback: 0 }] }
const appPatch = fc.oneof(
  patch,
  fc.record({ comfort_band: fc.constantFrom(0.3, 0.5) }),
  fc.record({ floor_type: fc.constantFrom('screed', 'dry', 'timber') }),
  fc.record({ area_m2: fc.constantFrom(null, 12.5) }),
  fc.record({ max_floor_temperature: fc.constantFrom(27, 29) }),
  fc.record({ floor_sensor_id: fc.constantFrom(null, LIVING_ROOM_SENSOR) }),
  fc.record({ night_mode: fc.constantFrom(null, NIGHT) }),
  fc.record({ programme: fc.constantFrom(null, WEEK) }),
)
const buildingPatch = fc.oneof(
  fc.record({ name: fc.constantFrom('Lakeside', 'Lakeside 12') }),
  fc.record({ location: fc.constantFrom({ lat: 59.91, lng: 10.75 }, { lat: 52.5, lng: 13.4 }) }),
  fc.record({ timezone: fc.constantFrom('Europe/Oslo', 'Europe/Berlin', 'Nowhere/City') }),
  fc.record({ saving: fc.boolean(), frost_protection: fc.boolean() }),
  fc.record({ comfort: fc.constantFrom('comfort_first', 'balanced', 'saving') }),
  fc.record({ tariff: fc.constantFrom(null, { kind: 'fixed', price: 0.3 }, { kind: 'market', area: 'NO1' }) }),
  fc.record({ heat_source: fc.constantFrom(null, { kind: 'boiler' }, { kind: 'heat_pump', cop: 4 }) }),
)
const hours = fc.constantFrom(1, 30)
const as = <K extends string>(...kinds: K[]) => fc.constantFrom(...kinds)

const request: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: as('v1'), n, patch }) },
  { weight: 4, arbitrary: fc.record({ kind: as('app'), n, patch: appPatch }) },
  fc.record({ kind: as('if-match'), n, targetC, isCurrent: fc.boolean() }),
  fc.record({
    kind: as('v1 override', 'app override'),
    n,
    targetC: fc.constantFrom<number | 'off'>(23, 'off'),
    hours,
  }),
  fc.record({ kind: as('end override'), n }),
  fc.record({ kind: as('override all'), boost: fc.constantFrom(1, 2) }),
  fc.record({ kind: as('v1 away', 'app away'), hours: fc.option(hours) }),
  fc.record({ kind: as('building'), patch: buildingPatch }),
  fc.record({ kind: as('valves'), n, channels: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }) }),
  fc.record({ kind: as('add room', 'remove room'), n }),
  fc.record({ kind: as('contact'), n: fc.option(n) }),
  fc.record({ kind: as('copy programme'), n }),
  fc.record({ kind: as('role'), role: as('owner', 'resident', 'installer') }),
  fc.record({ kind: as('leave') }),
)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: request },
  fc.record({
    kind: as('house file'),
    overwriteSettings: fc.boolean(),
    prune: fc.boolean(),
    rooms: fc.constantFrom(1, 2),
  }),
  fc.record({ kind: as('gateway') }),
  fc.record({ kind: as('control'), hours }),
  fc.record({ kind: as('at once'), deeds: fc.array(request, { minLength: 2, maxLength: 4 }) }),
)

describe.each(ENGINES)('the change log on %s', (engine) => {
  let world: World
  let ada: Browser
  let memberId: string
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
    const person = { buildingId: world.holder.buildingId, email: 'cleo@example.org', role: 'resident' as const }
    memberId = (await settleMember(world.store, world.clock, person)).accountId
  })
  afterAll(() => world.close())

  const roomIds = async () =>
    (
      await world.store.db
        .selectFrom('rooms')
        .select('id')
        .where('buildingId', '=', world.holder.buildingId)
        .orderBy('id')
        .execute()
    ).map(({ id }) => id)

  async function roomAt(index: number): Promise<string> {
    const ids = await roomIds()
    return ids[index % Math.max(1, ids.length)] ?? 'none'
  }

  /** Refusals are as good as anything: they must leave no entry. */
  async function carryOut(deed: Deed): Promise<void> {
    const { store, clock, holder } = world
    const { buildingId } = holder
    const key = holder.writeKey
    const after = (hours: number) => timestampOf(clock.now() + hours * HOUR_MS)
    const v1Room = async (index: number) => `/v1/buildings/${buildingId}/rooms/${await roomAt(index)}`
    const appRoom = async (index: number) => `/app/rooms/${await roomAt(index)}`
    const member = `/app/buildings/${buildingId}/members/${memberId}`
    switch (deed.kind) {
      case 'v1':
        return void (await world.call('PATCH', await v1Room(deed.n), { key, body: deed.patch }))
      case 'app':
        return void (await ada.call('PATCH', await appRoom(deed.n), deed.patch))
      case 'if-match': {
        const path = await v1Room(deed.n)
        const { etag = '' } = (await world.get(path)).headers
        const headers = { 'if-match': deed.isCurrent ? etag : '"other"' }
        return void (await world.call('PATCH', path, { key, body: { target_temperature: deed.targetC }, headers }))
      }
      case 'v1 override': {
        const wish = deed.targetC === 'off' ? { hvac_mode: 'off' } : { target_temperature: deed.targetC }
        const body = { ...wish, until: after(deed.hours) }
        return void (await world.call('PUT', `${await v1Room(deed.n)}/override`, { key, body }))
      }
      case 'app override': {
        const wish = deed.targetC === 'off' ? { hvac_mode: 'off' } : { target_temperature: deed.targetC }
        return void (await ada.call('PUT', `${await appRoom(deed.n)}/override`, { ...wish, hours: deed.hours }))
      }
      case 'end override':
        return void (await world.call('DELETE', `${await v1Room(deed.n)}/override`, { key }))
      case 'override all':
        return void (await ada.call('PUT', `/app/buildings/${buildingId}/override`, { boost: deed.boost, hours: 2 }))
      case 'v1 away': {
        const path = `/v1/buildings/${buildingId}/away`
        if (deed.hours === null) return void (await world.call('DELETE', path, { key }))
        return void (await world.call('PUT', path, { key, body: { target_temperature: 15, until: after(deed.hours) } }))
      }
      case 'app away': {
        const away = deed.hours === null ? null : { temperature: 14, until: after(deed.hours) }
        return void (await ada.call('PATCH', `/app/buildings/${buildingId}`, { away }))
      }
      case 'building':
        return void (await ada.call('PATCH', `/app/buildings/${buildingId}`, deed.patch))
      case 'valves': {
        const valves = deed.channels.map((channel) => ({ gateway_id: holder.gatewayIds[0], channel }))
        return void (await ada.call('PATCH', await appRoom(deed.n), { valves, comfort_band: 0.4 }))
      }
      case 'add room': {
        const valves = [{ gateway_id: holder.gatewayIds[0], channel: deed.n + 1 }]
        const room = { name: `Room ${deed.n}`, floor_type: 'dry', sensor_id: BATHROOM_SENSOR, valves }
        return void (await ada.call('POST', `/app/buildings/${buildingId}/rooms`, room))
      }
      case 'remove room':
        return void (await ada.call('DELETE', await appRoom(deed.n)))
      case 'contact': {
        const room_id = deed.n === null ? null : await roomAt(deed.n)
        return void (await ada.call('PATCH', `/app/buildings/${buildingId}/contacts/${CONTACT}`, { room_id }))
      }
      case 'copy programme':
        return void (await ada.call('POST', `${await appRoom(deed.n)}/programme/copies`, { room_ids: await roomIds() }))
      case 'role':
        return void (await ada.call('PATCH', member, { role: deed.role }))
      case 'leave':
        return void (await ada.call('DELETE', member))
      case 'house file': {
        const house = { ...HOUSE, rooms: HOUSE.rooms.slice(0, deed.rooms) }
        const { overwriteSettings, prune } = deed
        return void (await applyHouse(store, clock, house, {
          accountId: holder.accountId,
          overwriteSettings,
          prune,
        }))
      }
      case 'gateway': {
        const added = await addGateway(store, clock, { buildingId, name: 'spare' })
        if (added.kind !== 'added') throw new Error(added.kind)
        const [roomId] = await roomIds()
        await ada.call('PATCH', `/app/rooms/${roomId}`, { valves: [{ gateway_id: added.id, channel: 7 }] })
        return void (await removeGateway(store, clock, added.id))
      }
      case 'control':
        clock.advance(deed.hours * HOUR_MS)
        return heatingOf(world).control(buildingId)
      case 'at once':
        return void (await Promise.all(deed.deeds.map(carryOut)))
    }
  }

  /** What a new room begins with is no change. */
  function withNewRooms(state: LoggedState, now: LoggedState, added: string[]): LoggedState {
    const beginnings = [...now].filter(
      ([name]) => added.some((id) => name.endsWith(` ${id}`)) && !name.startsWith('room '),
    )
    return new Map([...state, ...beginnings.filter(([name]) => !state.has(name))])
  }

  const sorted = (state: LoggedState) => [...state].toSorted(([a], [b]) => (a < b ? -1 : 1))

  test('whatever is done, replaying the entries leads from the state before to the state after', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 6 }), async (deeds) => {
        world = await world.refurnished()
        const { store, clock, holder } = world
        const { buildingId } = holder
        await store.db
          .insertInto('contacts')
          .values({ buildingId, id: CONTACT, roomId: null, isOpen: 0, batteryPct: null, measuredAt: clock.now() })
          .execute()
        const joined = { buildingId, accountId: memberId, rooms: null, endsAt: null, createdAt: clock.now() }
        await store.db
          .insertInto('members')
          .values({ ...joined, role: 'resident' })
          .execute()
        let state = await loggedStateOf(store, buildingId)
        let known = (await logOf(store, buildingId)).length
        for (const each of deeds) {
          await carryOut(each)
          const now = await loggedStateOf(store, buildingId)
          const entries = (await logOf(store, buildingId)).slice(known)
          known += entries.length
          const added = entries.filter(({ field, before }) => field === 'room' && before === null)
          const begun = withNewRooms(
            state,
            now,
            added.map(({ subjectId }) => subjectId),
          )
          const [got, wanted] = [replayed(begun, entries), now].map(sorted)
          expect(got, JSON.stringify(each)).toEqual(wanted)
          state = now
        }
      }),
      { numRuns: 25 },
    )
  })
})
