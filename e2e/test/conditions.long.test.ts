import { createKey } from '@hypocaust/service'
import { openSite } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTES } from '../authorisation.ts'
import { requestsOf } from '../budgets/requests.ts'

type Method = Parameters<World['call']>[0]

const UNKNOWN = '01890000-0000-7000-8000-000000000000'
const CONDITIONS: Record<string, string> = { 'if-match': '"older"', 'if-none-match': '*' }

const WRITES = ROUTES.filter(({ door, operation }) => door !== 'app' && operation.method !== 'GET').map(
  ({ operation }) => operation,
)

describe.each(ENGINES)('a condition of a change is honoured or refused, on %s', (engine) => {
  let world: World
  let key: string
  let calendarId: string
  beforeAll(async () => {
    world = await openSite(engine)
    const { store, clock, holder } = world
    const { accountId, buildingId } = holder
    const opening = { accountId, name: 'k', permission: 'write' as const, expiresAt: null, control: true }
    key = (await createKey(store, clock, opening)).value
    calendarId = crypto.randomUUID()
    const calendar = { id: calendarId, buildingId, name: 'Family', rules: '[]', dueAt: clock.now() }
    await store.db.insertInto('calendars').values(calendar).execute()
  })
  afterAll(() => world.close())

  const own = () => ({ buildingId: world.holder.buildingId, roomId: world.bathroomId, calendarId })

  async function send(id: string, ids: ReturnType<typeof own>, headers: Record<string, string>, badBody?: string) {
    const request = requestsOf(ids, world.clock.now()).find((each) => each.id === id)
    if (!request) throw new Error(`${id} has no request`)
    const body = badBody ?? request.body
    const { status, json } = await world.call(
      request.method as Method,
      request.path.replace('{calendarId}', ids.calendarId),
      {
        ...{ key, headers },
        ...(body !== undefined && { body }),
      },
    )
    return [status, json?.error?.code]
  }
  const changes = async () => {
    const { db } = world.store
    return Promise.all([
      db.selectFrom('changeLog').select('sequence').execute(),
      db.selectFrom('calendars').selectAll().execute(),
    ])
  }

  test.each(WRITES)('$id', async ({ id, parameters }) => {
    const before = await changes()
    for (const [name, value] of Object.entries(CONDITIONS)) {
      const isTaken = parameters.some((each) => each.name.toLowerCase() === name)
      const refusal = isTaken ? [412, 'precondition_failed'] : [400, 'invalid_value']
      expect([name, ...(await send(id, own(), { [name]: value }))]).toEqual([name, ...refusal])
    }
    expect(await changes()).toEqual(before)
  })

  test.each(WRITES)('what is not there comes first: $id', async ({ id, path, body }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    for (const name of named)
      for (const headers of [{}, ...Object.entries(CONDITIONS).map(([key, value]) => ({ [key]: value }))]) {
        const ids = { ...own(), [name]: UNKNOWN }
        const asked = [await send(id, ids, headers), ...(body ? [await send(id, ids, headers, '{"nonsense":1}')] : [])]
        for (const answer of asked) expect([name, headers, ...answer]).toEqual([name, headers, 404, 'not_found'])
      }
  })
})
