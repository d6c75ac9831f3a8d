import { Writable } from 'node:stream'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { newSecret } from '../src/base/secret.ts'
import { problemReport } from '../src/house/problem-report.ts'

describe.each(ENGINES)('the problem report of a building on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openSite(engine)
  })
  afterAll(() => world.close())

  const path = (query = '') => `/app/buildings/${world.holder.buildingId}/report${query}`

  test('has versions, settings, the last day of a room and the lines about the building', async () => {
    const ada = await signedIn(world)
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 21 })
    const { buildingId } = world.holder
    const logger = createLogger('info', new Writable({ write: (_chunk, _encoding, done) => done() }))
    const key = newSecret('hyp_')
    logger.warn({ buildingId, gateway: BATHROOM_SENSOR.toUpperCase() }, `of bea@example.org with ${key}`)
    logger.warn({ buildingId: world.stranger.buildingId }, 'of another building')
    const answer = await ada.call('GET', path(`?room_id=${world.bathroomId}`))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toBe('attachment')
    expect(answer.json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      building: { name: 'Lakeside 12', rooms: [{ name: 'Bathroom' }, { name: 'Living room' }] },
      gateways: expect.arrayContaining([expect.objectContaining({ building: 'Lakeside 12' })]),
      room: { name: 'Bathroom', decisions: expect.any(Array) },
    })
    expect(answer.json.log).toHaveLength(1)
    expect(answer.json.log[0]).toContain('of [mail address] with hyp_[hidden]')
    const told = [key, 'bea@', 'ada@', 'location', 'Hillside', 'another building']
    for (const text of told) expect(answer.text).not.toContain(text)
    expect(answer.text).not.toMatch(/[0-9a-f]{2}([:-][0-9a-f]{2}){5}/i)
  })

  test('stays readable whatever stands before an address', async () => {
    const lines = ['\tada@example.org', 'by\nbea@example.org']
    const report = await problemReport(world.store, world.clock.now(), { log: lines, more: {} })
    expect(report.log).toEqual(['\t[mail address]', 'by\n[mail address]'])
  })

  test('is for owners, and of their own rooms', async () => {
    const { buildingId } = world.holder
    for (const role of ['resident', 'guest', 'installer'] as const) {
      const email = `${role}@example.org`
      await settleMember(world.store, world.clock, { buildingId, email, role, roomIds: [world.bathroomId] })
      expect((await (await signedIn(world, email)).call('GET', path())).status).toBe(403)
    }
    const ada = await signedIn(world)
    expect((await ada.call('GET', path(`?room_id=${world.stranger.roomIds[0]}`))).status).toBe(404)
  })
})
