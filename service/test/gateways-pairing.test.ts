import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addGateway, removeGateway } from '../src/house/gateways/gateways.ts'
import { createPairingCode } from '../src/house/gateways/pairing.ts'

let world: MqttWorld
beforeAll(async () => {
  world = await openMqttWorld()
})
afterAll(() => world.close())

const newCode = () => createPairingCode(world.store, world.clock, world.cellarId)
const pair = (code: unknown) => world.world.call('POST', '/app/gateways/pair', { body: { code } })

describe('a pairing code', () => {
  test('is exchanged for the gateway’s id and a token that opens the broker, without an API key', async () => {
    const answer = await pair(await newCode())
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ gateway_id: world.cellarId, gateway: 'cellar', building: 'Lakeside 12' })
    const { token } = answer.json
    expect(token).toMatch(/^hypg_/)
    const gateway = await world.join(world.cellarId, { username: world.cellarId, password: token })
    await gateway.deliver([])
    await world.leaveAll()
  })

  test('brings the file that the gateway has sent, for a box that replaces it', async () => {
    const gateway = await world.gateway()
    expect((await pair(await newCode())).json).not.toHaveProperty('file')
    const again = await world.gateway()
    for (const text of ['channels: []\n', 'channels: [] # wärmer 🌡\n']) {
      again.say('file', { text })
      await eventually(
        async () =>
          (
            await world.store.db
              .selectFrom('gateways')
              .select('file')
              .where('id', '=', gateway.id)
              .executeTakeFirstOrThrow()
          ).file === text,
      )
    }
    again.say('file', { text: 'x'.repeat(65_537) })
    await world.beat(again)
    expect((await pair(await newCode())).json).toMatchObject({ file: 'channels: [] # wärmer 🌡\n' })
    await world.leaveAll()
  })

  test('has eight characters that cannot be mistaken for others, and small letters and spaces do no harm', async () => {
    const code = await newCode()
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/)
    expect((await pair(` ${code.toLowerCase().replace('-', ' ')} `)).status).toBe(200)
  })

  test('works once, also when two come at the same moment', async () => {
    const code = await newCode()
    const answers = await Promise.all([pair(code), pair(code), pair(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect((await pair(code)).json.error.code).toBe('not_found')
  })

  test('works for fifteen minutes', async () => {
    const inTime = await newCode()
    world.clock.advance(15 * MINUTE_MS - 1)
    expect((await pair(inTime)).status).toBe(200)
    const late = await newCode()
    world.clock.advance(15 * MINUTE_MS)
    expect((await pair(late)).status).toBe(404)
  })

  test('is void when a newer one was made', async () => {
    const older = await newCode()
    const newer = await newCode()
    expect((await pair(older)).status).toBe(404)
    expect((await pair(newer)).status).toBe(200)
  })

  test('is nowhere kept as it is', async () => {
    const code = await newCode()
    const rows = await world.store.db.selectFrom('pairingCodes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''))
  })

  test('of a gateway that was removed meanwhile works no more', async () => {
    const { buildingId } = world.world.holder
    const added = await addGateway(world.store, world.clock, { buildingId, name: 'garage' })
    if (added.kind !== 'added') throw new Error(added.kind)
    const code = await createPairingCode(world.store, world.clock, added.id)
    await removeGateway(world.store, world.clock, added.id)
    expect((await pair(code)).status).toBe(404)
  })

  test('a wrong one, and a wrong form, are refused without a hint', async () => {
    world.clock.advance(MINUTE_MS)
    expect((await pair('AAAA-AAAA')).json.error.code).toBe('not_found')
    for (const code of ['', 7, null, 'x'.repeat(33)]) expect((await pair(code)).status).toBe(400)
  })

  test('cannot be guessed in a hurry', async () => {
    world.clock.advance(MINUTE_MS)
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push((await pair('AAAA-AAAA')).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 404), 429])
    const code = await newCode()
    const refused = await pair(code)
    expect(refused.headers['retry-after']).toBe('60')
    world.clock.advance(MINUTE_MS)
    expect((await pair(code)).status).toBe(200)
  })
})
