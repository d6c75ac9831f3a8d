import { ROLES } from '@hypocaust/domain'
import { PASSWORD } from '@hypocaust/testing/browser.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: MqttWorld
beforeAll(async () => {
  world = await openMqttWorld()
})
afterAll(() => world.close())

test.each(ROLES)('nothing that a person holds as %s opens the broker: it is for gateways alone', async (role) => {
  const { store, clock, cellarId } = world
  const { buildingId } = world.world.holder
  const person = await settleMember(store, clock, { buildingId, email: `${role}@example.org`, role })
  const names = [person.email, person.accountId, buildingId, cellarId]
  const secrets = [PASSWORD, person.readKey, person.writeKey]
  for (const username of names)
    for (const password of secrets)
      await expect(world.join(username, { username, password }), `${username} with ${password}`).rejects.toThrow(
        /Connection refused/,
      )
})

test('a gateway’s own token opens it', async () => {
  expect((await world.gateway()).party.client.connected).toBe(true)
})
