import { answering, observedClient, type ScriptedServer, serverThat, type Turn } from '@hypocaust/testing/client.ts'
import { afterEach, expect, test } from 'vitest'
import { REQUIRED_FIELDS } from '../../client/src/generated/required-fields.ts'
import { changed } from '../src/holder/changed.ts'
import type { Place } from '../src/holder/session.ts'

let server: ScriptedServer | undefined
afterEach(() => server?.close())

const PLACE = { building: { id: 'b' }, room: { id: 'r' } } as Place
const filled = (kind: 'Room' | 'Explanation', fields: object) => ({
  ...Object.fromEntries(REQUIRED_FIELDS[kind].map((field) => [field, null])),
  ...fields,
})
const roomAt = (power: number, enabled = false) =>
  answering(200, filled('Room', { power, manual_power: { enabled, power: 0 } }))
const decidedAt = (time: string): Turn => answering(200, filled('Explanation', { decided_at: time }))

async function powerAfter(...turns: Turn[]): Promise<number> {
  server = await serverThat(...turns)
  const { client } = observedClient({ baseUrl: server.url, apiKey: 'k' })
  return (await changed(client, PLACE, { target_temperature: 22 }, async () => {})).power
}

test('a changed room is shown with the power that follows, not with the one before', async () => {
  const power = await powerAfter(decidedAt('08:00'), roomAt(0), decidedAt('08:00'), decidedAt('08:01'), roomAt(0.4))
  expect(power).toBe(0.4)
})

test('a room that nothing is decided for is shown as it is', async () => {
  expect(await powerAfter(answering(200, null), roomAt(0.2), answering(200, null))).toBe(0.2)
})

test('a power set by hand is there at once', async () => {
  expect(await powerAfter(decidedAt('08:00'), roomAt(0.7, true))).toBe(0.7)
  expect(server?.requests).toHaveLength(2)
})
