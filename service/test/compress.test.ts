import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addRoom } from '../src/house/rooms/manage.ts'

describe('large answers', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld('sqlite')
    const { sensor_id } = await world.bathroom()
    for (let i = 0; i < 20; i++) {
      const room = { name: `Room ${i}`, floor_type: 'screed' as const, sensor_id, valves: [] }
      await addRoom(world.store, world.clock, world.holder.buildingId, room)
    }
  })
  afterAll(() => world.close())

  const ask = (encoding?: string, path = world.roomsPath) =>
    world.app.inject({
      url: path,
      headers: { 'x-api-key': world.holder.readKey, ...(encoding && { 'accept-encoding': encoding }) },
    })

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip;q=0.5, br;q=0.9', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ])('are compressed for %s', async (accepted, encoding, decompress) => {
    const plain = await ask()
    const { headers, rawPayload } = await ask(accepted)
    expect([headers['content-encoding'], headers.vary, headers.etag]).toEqual([
      encoding,
      'Accept-Encoding',
      plain.headers.etag,
    ])
    expect(decompress(rawPayload).toString()).toBe(plain.body)
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
  })

  test.each([undefined, 'identity', 'br;q=0'])('are sent as they are for %s', async (accepted) => {
    expect((await ask(accepted)).headers['content-encoding']).toBeUndefined()
  })

  test('that the reader has already are a 304 all the same', async () => {
    const { etag = '' } = (await ask('br')).headers
    const answer = await world.get(world.roomsPath, { headers: { 'if-none-match': etag, 'accept-encoding': 'br' } })
    expect([answer.status, answer.text, answer.headers['content-encoding']]).toEqual([304, '', undefined])
  })

  test('are not the small ones', async () => {
    expect((await ask('br', '/v1/key')).headers['content-encoding']).toBeUndefined()
  })
})
