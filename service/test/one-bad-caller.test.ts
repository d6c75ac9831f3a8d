import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../src/base/secret.ts'

const NO_IDS = ['%00', '%00'.repeat(36), 'x', '%F0%9F%9B%81', "'", '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9%00']

describe.each(ENGINES)('a caller whose request cannot be looked up, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  test.each(NO_IDS)('does no harm to others that ask at the same moment: %s', async (id) => {
    const unknownKey = { key: newSecret('hyp_') }
    const paths = [`/v1/buildings/${id}/alerts`, `/v1/buildings/${id}`, `/v1/buildings/${id}/rooms/${id}`]
    const [owner, ...strangers] = await Promise.all([
      world.get(world.roomsPath),
      ...paths.map((path) => world.get(path, unknownKey)),
      world.get(paths[0] as string, { key: world.stranger.readKey }),
    ])
    expect(owner.status).toBe(200)
    expect(strangers.map(({ status }) => status)).toEqual([401, 401, 401, 404])
  })

  test('finds no room by an id that is none, like by any other', async () => {
    for (const id of NO_IDS) expect((await world.get(`${world.roomsPath}/${id}`)).status).toBe(404)
  })
})
