import type { Decision } from '@hypocaust/control'
import { HOUR_MS } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextCommand } from '../src/house/gateways/commands.ts'
import { currentConfig } from '../src/house/gateways/config.ts'
import { gatewayValvesOf } from '../src/house/gateways/valves.ts'
import type { Heating } from '../src/house/heating/heating.ts'
import { targetUnreachable } from '../src/people/alerts/heat.ts'

describe.each(ENGINES)('a room that is only watched, on %s', (engine) => {
  let world: World
  let ada: Browser
  let heating: Heating

  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
    heating = heatingOf(world)
  })

  const cellarId = () => world.holder.gatewayIds[0] as string
  const buildingPath = () => `/app/buildings/${world.holder.buildingId}`
  const roomPath = () => `/app/rooms/${world.bathroomId}`
  const watch = (isOn: boolean) => ada.call('PATCH', roomPath(), { only_watch: isOn })
  const bathroom = () => world.bathroom()
  const valve = async () =>
    world.store.db
      .selectFrom('valves')
      .select(['gatewayId', 'channel'])
      .where('roomId', '=', world.bathroomId)
      .executeTakeFirstOrThrow()
  const gateway = async () => {
    const { gatewayId } = await valve()
    const all = await gatewayValvesOf(world.store, world.holder.buildingId)
    return all.find((each) => each.gatewayId === gatewayId) as (typeof all)[number]
  }

  /** The other thermostat opens the valve for this share, and its relay says so; the control steps every minute. */
  async function live(minutes: number, temperatureC: number, share: number | null): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      if (share !== null && minute % 15 === 0) await reportWindow(share)
      world.clock.advance(MINUTE_MS)
      await world.gatewaysReport()
      await world.report(BATHROOM_SENSOR, { temperatureC })
      await heating.control(world.holder.buildingId)
    }
  }

  const reportWindow = async (share: number) =>
    world.store.db
      .insertInto('valveWindows')
      .values({
        ...(await valve()),
        startedAt: world.clock.now(),
        windowS: 900,
        openS: 900 * share,
        source: 'watched',
      })
      .execute()

  test('gets no power in any command, and its gateway is configured to leave its valve alone', async () => {
    await live(5, 18, null)
    expect((await bathroom()).power).toBeGreaterThan(0)
    expect((await watch(true)).status).toBe(200)
    await live(5, 18, null)
    const { channel } = await valve()
    const current = await currentConfig(world.store, await gateway())
    expect(current).toMatchObject({ config: { watched: [channel], fallback: { power: { [channel]: 0 } } } })
    const next = await nextCommand(world.store, world.clock, await gateway())
    expect(next).toMatchObject({ kind: 'due' })
    const commanded = next.kind === 'due' ? next.command.valves.find((each) => each.channel === channel) : undefined
    expect(commanded).toEqual({ channel, power: 0, window_s: 900 })
  })

  test('shows on /v1 what its valve reports, and nothing where nothing is reported', async () => {
    await watch(true)
    await live(20, 18, 0.4)
    expect(await bathroom()).toMatchObject({ power: 0.4, hvac_action: 'heating', hvac_mode: 'heat' })
    await live(20, 18, 0)
    expect(await bathroom()).toMatchObject({ power: 0, hvac_action: 'idle', hvac_mode: 'heat' })
    await live(70, 18, null)
    expect(await bathroom()).toMatchObject({ power: 0, hvac_action: 'idle' })
  })

  test('cannot be switched off or given a power, while its target can be set', async () => {
    await watch(true)
    const refused = { status: 400, json: { error: { code: 'invalid_value' } } }
    const patch = (body: object) => world.patch(body)
    expect(await patch({ hvac_mode: 'off' })).toMatchObject(refused)
    expect(await patch({ manual_power: { enabled: true, power: 0.5 } })).toMatchObject(refused)
    expect(await patch({ hvac_mode: 'heat' })).toMatchObject({ status: 200 })
    expect(await patch({ target_temperature: 20.5 })).toMatchObject({ status: 200 })
    const override = await ada.call('PUT', `${roomPath()}/override`, { hvac_mode: 'off', hours: 2 })
    expect(override).toMatchObject(refused)
    expect(await ada.call('POST', `${buildingPath()}/all-rooms`, { action: 'off' })).toMatchObject({
      status: 200,
    })
    expect(await bathroom()).toMatchObject({ hvac_mode: 'heat', manual_power: { enabled: false } })
  })

  test('is learned from what its valve reports, and not at all where nothing is reported', async () => {
    const slots = () =>
      world.store.db.selectFrom('roomSlots').select('slot').where('roomId', '=', world.bathroomId).execute()
    await watch(true)
    await live(70, 19, null)
    expect(await slots()).toEqual([])
    await live(90, 19, 0.4)
    const last = JSON.parse((await slots()).at(-1)?.slot ?? '{}')
    expect(last.power).toBeCloseTo(0.4, 2)
  })

  test('says what the control would give', async () => {
    await watch(true)
    await live(40, 17, 0.4)
    const { json } = await ada.call('GET', `${roomPath()}/explanation`)
    expect(json).toMatchObject({ caps: ['watched'], power: 0.4 })
    expect(json.share).toBeGreaterThan(0)
    expect((await ada.call('GET', `${roomPath()}/outlook`)).json).toMatchObject({ why_not: 'watched', warm_up: null })
  })

  test('is taken over and given back again, each with an entry in the change log', async () => {
    const { watched_since: since } = (await watch(true)).json
    await live(5, 17, 0.4)
    await watch(true)
    await watch(false)
    await live(5, 17, null)
    expect((await bathroom()).power).toBeGreaterThan(0)
    const current = await currentConfig(world.store, await gateway())
    expect(current.kind !== 'outrun' && current.config.watched).toBeFalsy()
    const log = async () => (await ada.call('GET', `${buildingPath()}/changes`)).json.changes
    const entries = (await log()).filter(({ field }: { field: string }) => field === 'only_watch')
    expect(entries.map(({ after }: { after: boolean }) => after)).toEqual([false, true])
    const undone = await ada.call('POST', `${buildingPath()}/changes/${entries[0].sequence}/undo`)
    expect(undone.status).toBeLessThan(300)
    const again = (await watch(true)).json
    expect(again).toMatchObject({ only_watch: true, watched_since: since })
  })

  test('is not left to a gateway that cannot leave a valve alone', async () => {
    const { gatewayId } = await valve()
    await world.store.db
      .updateTable('gateways')
      .set({ state: 'online', watches: 0 })
      .where('id', '=', gatewayId)
      .execute()
    const refused = await watch(true)
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.json.error.message).toContain('Update it first')
    await world.store.db.updateTable('gateways').set({ watches: 1 }).where('id', '=', gatewayId).execute()
    expect((await watch(true)).status).toBe(200)
  })

  test('is left out of tests of loops', async () => {
    await world.store.db.updateTable('gateways').set({ channels: 4 }).where('id', '=', cellarId()).execute()
    await watch(true)
    const { gatewayId, channel } = await valve()
    const body = { gateway_id: gatewayId, channel }
    expect(await ada.call('POST', `${buildingPath()}/loops/test`, body)).toMatchObject({ status: 400 })
  })
})

test('no alert says that a watched room does not get warm, until it freezes', () => {
  const at = (airC: number) => ({ atMs: 0, mode: 'heat', air: { airC, ageS: 0 } }) as Decision
  const facts = (airC: number) => ({
    id: 'room',
    name: 'Room',
    floorType: 'screed' as const,
    targetC: 21,
    bandK: 0.5,
    coolingTargetC: null,
    batteryPct: null,
    measuredAt: 0,
    allHeardAt: 0,
    watchedSince: 0,
    mould: null,
    relays: [],
    decisions: [at(airC)],
  })
  expect(targetUnreachable(facts(12), HOUR_MS)).toBe('lapsed')
  expect(targetUnreachable(facts(4.2), HOUR_MS)).toBe('holds')
})
