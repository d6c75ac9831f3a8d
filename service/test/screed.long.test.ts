import { createPublicKey, verify } from 'node:crypto'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { currentConfig } from '../src/house/gateways/config.ts'
import { gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { advanceScreeds } from '../src/house/screed/advance.ts'
import { screedHouseOf } from './screed-house.ts'

const SHORT = 'name: Two steps\nsteps: [{ hours: 4, supply_c: 25 }, { hours: 2, supply_c: 40 }]\n'
const own = { programme: 'own', file: SHORT }

describe.each(ENGINES)('the heat-up of a screed on %s', (engine) => {
  const house = screedHouseOf(engine)
  const entriesOf = async () => {
    const { entries } = await house.record()
    return entries.map(({ text }: { text: string }) => JSON.parse(text))
  }
  const kinds = async () => (await entriesOf()).map(({ kind }: { kind: string }) => kind)

  test('runs its steps through the supply output with the loops of its rooms open, and ends by itself', async () => {
    expect((await house.start(own)).status).toBe(200)
    await house.pass(1)
    expect(await house.asked()).toBe(25)
    expect((await house.powers()).slice(0, 2)).toEqual([1, 1])
    await house.pass(3.5)
    expect(await house.asked()).toBe(40)
    expect((await house.state()).run).toMatchObject({ step: 1, trouble: null, ended_at: null })
    await house.pass(2)
    expect((await house.state()).run).toMatchObject({ ended_because: 'finished', held_hours: 6 })
    expect(await house.asked()).toBeUndefined()
    expect(await house.record()).toMatchObject({ changed_at: null, has_gap: false, is_ended: true })
  })

  test('opens nothing that is not a loop of a room with water in its floor', async () => {
    await house.world.store.db.updateTable('rooms').set({ floorType: 'electric' }).execute()
    expect((await house.start(own)).json.error.message).toMatch(/^No loop/)
    await house.world.store.db.updateTable('rooms').set({ floorType: 'screed' }).execute()
    await house.start(own)
    await house.pass(1)
    expect((await house.powers()).slice(2)).toEqual([0, 0])
  })

  test.each([
    [{ programme: 'functional' }, /^max: the warmest/],
    [{ programme: 'functional', max: 51 }, /^max: 51 °C is not between 20 and 50/],
    [{ programme: 'functional', max: 40, file: SHORT }, /^file: it belongs/],
    [{ programme: 'own' }, /^file: the programme own needs/],
    [{ programme: 'own', file: 'steps: [' }, /^1: /],
    [
      { programme: 'own', file: 'name: x\nsteps:\n  - { hours: 1, supply_c: 30 }\n  - { hours: 0, supply_c: 30 }' },
      /^4: steps\.1\.hours /,
    ],
    [{ programme: 'own', file: 'name: x\nsteps: [{ hours: .nan, supply_c: 30 }]' }, /^2: /],
    [{ programme: 'own', file: 'name: x\nsteps: [{ hours: 1, supply_c: 15 }]' }, /^file: 15 °C is not between/],
    [
      { programme: 'own', file: `name: x\nsteps: [${'{ hours: 1400, supply_c: 30 },'.repeat(2)}]` },
      /longer than 60 days/,
    ],
  ])('is not started with %j', async (body, message) => {
    const { status, json } = await house.start(body)
    expect([status, json.error.message]).toEqual([400, expect.stringMatching(message)])
    expect((await house.state()).run).toBeNull()
  })

  test('is not started where the source is not asked for water, or nobody measures it', async () => {
    await house.pass(0.25, () => 'no probe')
    expect((await house.start(own)).json.error.message).toMatch(/^No gateway measures/)
    await house.building({ heatSource: '{"kind":"boiler"}' })
    expect((await house.start(own)).json.error.message).toMatch(/supply\.max/)
  })

  test('excludes a test of the loops, and the other way round', async () => {
    await house.start(own)
    const loops = house.path().replace('screed', 'loops')
    const [id] = house.world.holder.gatewayIds
    expect((await house.ada.call('POST', `${loops}/test`, { gateway_id: id, channel: 1 })).status).toBe(409)
    expect((await house.ada.call('DELETE', `${loops}/run`)).status).toBe(409)
    expect((await house.start(own)).status).toBe(409)
    expect((await house.ada.call('GET', loops)).json.run).toBeNull()
    await house.ada.call('DELETE', house.path())
    expect((await house.ada.call('POST', `${loops}/test`, { gateway_id: id, channel: 1 })).status).toBe(200)
    expect((await house.start(own)).json.error.message).toMatch(/^A test of the loops/)
  })

  test('time in which the water is too cold, unmeasured or not seen by the service does not count', async () => {
    await house.start(own)
    await house.pass(1)
    await house.pass(2, (askedC) => askedC - 3)
    await house.pass(1, () => 'no probe')
    await house.pass(1, undefined, false)
    await house.pass(1, () => 'silent')
    const { run } = await house.state()
    expect(run?.held_hours).toBeLessThanOrEqual(1.2)
    await house.pass(1)
    expect((await kinds()).filter((kind: string) => !['measured', 'deviation_ended'].includes(kind))).toEqual([
      ...['started', 'step', 'deviation', 'deviation', 'gap', 'deviation'],
    ])
    expect(await house.record()).toMatchObject({ changed_at: null, has_gap: false, is_ended: false })
  })

  test('goes on while the source makes hot water for a short time', async () => {
    await house.start(own)
    await house.pass(1)
    await house.pass(0.5, () => 'hot water')
    await house.pass(0.5)
    expect((await house.state()).run?.held_hours).toBe(2)
    await house.pass(1, () => 'hot water')
    await house.pass(0.5)
    expect((await house.state()).run?.held_hours).toBeLessThan(3.5)
    expect((await entriesOf()).filter(({ is_long }: { is_long?: boolean }) => is_long)).toHaveLength(1)
  })

  test('asks for its coldest water while nothing measures it for long', async () => {
    await house.start(own)
    await house.pass(4.5)
    expect(await house.asked()).toBe(40)
    await house.pass(0.5, () => 'no probe')
    expect(await house.asked()).toBe(40)
    await house.pass(0.5, () => 'no probe')
    expect(await house.asked()).toBe(25)
    await house.pass(0.5)
    expect(await house.asked()).toBe(40)
  })

  test('lets a gateway without the service ask for no warmer water than the coldest of the programme', async () => {
    const mostC = async () => {
      const [gateway] = await gatewayValvesOf(house.world.store, house.world.holder.buildingId)
      if (!gateway) throw new Error('the house has no gateway')
      const current = await currentConfig(house.world.store, gateway)
      return current.kind === 'outrun' ? undefined : current.config.fallback.supply_most_c
    }
    expect(await mostC()).toBe(undefined)
    await house.start(own)
    expect(await mostC()).toBe(25)
    await house.pass(5)
    expect(await mostC()).toBe(25)
    await house.pass(2)
    expect(await mostC()).toBe(undefined)
  })

  test('asks for no warmer water than the heat source may be asked for, also where that was changed meanwhile', async () => {
    await house.start(own)
    await house.pass(4.5)
    expect(await house.asked()).toBe(40)
    await house.building({ heatSource: '{"kind":"heat_pump","supply":{"max":35}}' })
    expect(await house.asked()).toBe(35)
    await house.pass(0.25)
    expect((await house.state()).run?.trouble).toBe('too_cold')
    await house.building({ heatSource: '{"kind":"heat_pump"}' })
    expect(await house.asked()).toBeUndefined()
  })

  test('closes the loops while the water is hotter than any screed of the programme may have', async () => {
    await house.start(own)
    await house.pass(1)
    await house.pass(0.25, () => 46)
    expect((await house.powers()).slice(0, 2)).toEqual([0, 0])
    expect((await house.state()).run?.trouble).toBe('too_hot')
    await house.pass(0.25)
    expect((await house.powers()).slice(0, 2)).toEqual([1, 1])
  })

  describe('with loops at two manifolds', () => {
    const attic = () => house.world.holder.gatewayIds[1] ?? ''
    /** The second loop of the cellar is another gateway's. */
    const moveLoop = async (to: string) => {
      const { db } = house.world.store
      const room = db.selectFrom('valves').innerJoin('rooms', 'rooms.id', 'valves.roomId').select('rooms.id')
      const { id: roomId } = await room.where('rooms.name', '!=', 'Bathroom').executeTakeFirstOrThrow()
      await db.deleteFrom('valves').where('roomId', '=', roomId).execute()
      await db.insertInto('valves').values({ roomId, gatewayId: to, channel: 2 }).execute()
    }
    beforeEach(() => moveLoop(attic()))
    const atticReports = async (supply_c: number | null) => {
      const sourceReport = JSON.stringify({ lock: null, supply_c, supply_set_c: null, sg_ready: null })
      const columns = { sourceReport, lastSeenAt: house.world.clock.now() }
      await house.world.store.db.updateTable('gateways').set(columns).where('id', '=', attic()).execute()
    }
    const cellarPower = async () => (await house.powers())[0]

    test('water that is too hot closes the loops also while the other gateway is silent', async () => {
      await atticReports(25)
      await house.start(own)
      await house.pass(0.5, () => 46)
      expect((await house.state()).run?.trouble).toBe('gateway_silent')
      expect(await cellarPower()).toBe(0)
      await house.pass(0.25)
      expect(await cellarPower()).toBe(1)
    })

    test.each([
      [46, 25.5, 'too_hot', 0],
      [25.5, 46, 'too_hot', 0],
      [20, 25.5, 'too_cold', 1],
      [25.5, 20, 'too_cold', 1],
      [25.5, 26, null, 1],
    ])(
      'water of %i °C at one and %i °C at the other counts as the worse of the two',
      async (at, other, trouble, power) => {
        await atticReports(25.5)
        await house.start(own)
        await house.pass(0.25)
        await atticReports(other)
        await house.pass(5 / 60, () => at)
        expect((await house.state()).run?.trouble).toBe(trouble)
        expect(await cellarPower()).toBe(power)
      },
    )

    test('the water of a manifold without a loop of the programme says nothing', async () => {
      await moveLoop(house.world.holder.gatewayIds[0] ?? '')
      await atticReports(60)
      await house.start(own)
      await house.pass(0.25)
      expect((await house.state()).run?.trouble).toBe(null)
    })
  })

  test.each([
    [24, 4],
    [2, 1],
  ])('after an interruption, with restart after %i hours, %i hours of it count', async (restart_after_hours, held) => {
    await house.start({ ...own, restart_after_hours })
    await house.pass(3)
    await house.pass(3, undefined, false)
    await house.pass(1)
    expect(Math.round((await house.state()).run?.held_hours ?? 0)).toBe(held)
    expect((await kinds()).includes('restarted')).toBe(held === 1)
  })

  test('is looked after at once where the clock has been set back, and the record names the gap', async () => {
    await house.start(own)
    await house.pass(2)
    house.world.clock.advance(-26 * 3_600_000)
    await house.pass(0.25, () => 46)
    expect((await house.powers()).slice(0, 2)).toEqual([0, 0])
    expect((await house.state()).run).toMatchObject({ held_hours: 2, trouble: 'too_hot' })
    await house.pass(4)
    expect((await house.state()).run).toMatchObject({ step: 1, trouble: null })
    expect((await kinds()).filter((kind: string) => kind === 'gap')).toHaveLength(1)
    expect(await house.record()).toMatchObject({ changed_at: null, has_gap: false })
  })

  test('its record shows a changed byte, a line that was taken out and one that was put in its place', async () => {
    await house.start(own)
    await house.pass(2)
    const { db } = house.world.store
    const whole = await house.record()
    const { id, entries } = whole
    const [third] = entries.filter(({ n }: { n: number }) => n === 2)
    await db.deleteFrom('screedRecords').where('runId', '=', id).where('n', '=', 2).execute()
    expect((await house.record()).changed_at).toBe(2)
    const changed = { ...third, text: third.text.replace('25.5', '26.5') }
    expect(changed.text).not.toBe(third.text)
    await db
      .insertInto('screedRecords')
      .values({ buildingId: house.world.holder.buildingId, runId: id, ...changed })
      .execute()
    expect((await house.record()).changed_at).toBe(2)
  })

  test('its record is signed by the service', async () => {
    await house.start(own)
    await house.pass(1)
    const { signature, entries, id } = await house.record()
    const key = createPublicKey(signature.public_key)
    const value = Buffer.from(signature.value, 'base64')
    expect(signature.signed).toBe(`hypocaust-screed-record-1 ${id} ${entries.length} ${entries.at(-1).hash}`)
    expect(verify(null, Buffer.from(signature.signed), key, value)).toBe(true)
    expect(verify(null, Buffer.from(signature.signed.replace(id, id.toUpperCase())), key, value)).toBe(false)
  })

  test('of two processes that look after it at one moment, one writes', async () => {
    await house.start(own)
    await house.pass(1)
    house.world.clock.advance(60_000 * 40)
    const both = [1, 2].map(() => advanceScreeds(house.world.store, house.world.clock, { silentAfterS: 3600 }))
    expect((await Promise.all(both)).flat()).toHaveLength(1)
    expect((await house.record()).changed_at).toBeNull()
  })

  test('is stopped by a person, and says so without naming one', async () => {
    await house.start(own)
    await house.pass(1)
    expect((await house.ada.call('DELETE', house.path())).json.run).toMatchObject({ ended_because: 'stopped' })
    expect((await entriesOf()).at(-1)).toMatchObject({ kind: 'ended', because: 'stopped', by: 'owner' })
    expect((await house.ada.call('DELETE', house.path())).status).toBe(200)
    expect(await house.record()).toMatchObject({ changed_at: null, has_gap: false, is_ended: true })
  })
})
