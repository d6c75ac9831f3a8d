import { createLogger, enrolmentLink } from '@hypocaust/service'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { codeOf } from '@hypocaust/testing/totp.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../service/src/base/metrics.ts'
import { addOperator, removeOperator } from '../../service/src/people/operators/operators.ts'
import { OPERATOR_SESSION_MS } from '../../service/src/people/operators/sessions.ts'
import { buildConsole } from '../../service/src/roles/operator.ts'
import { routesOfServers } from '../served.ts'

const SECRET = 'a secret of thirty-two letters or more'
const PASSWORD = 'a password of an operator'
const LIMITS = { read: 600, write: 120 }

/** The operator comes last: signing out ends the session. */
const CALLERS = ['none', 'owner', 'key', 'signed out', 'removed', 'expired', 'without form', 'operator'] as const
type Caller = (typeof CALLERS)[number]

/** What an operator is answered; a route that is not here fails. */
const ANSWERS: Record<string, number> = {
  'GET /': 200,
  'GET /acts': 200,
  'GET /buildings/{id}': 200,
  'GET /errors': 200,
  'GET /limits': 200,
  'GET /tenants': 200,
  'POST /buildings/{id}/temperatures': 400,
  'POST /search': 303,
  'POST /sign-out': 303,
}
/** The same for everybody, with what each answers to a request that brings nothing. */
const OPEN: Record<string, number> = {
  'GET /health/live': 200,
  'GET /health/ready': 200,
  'GET /metrics': 200,
  'GET /style.css': 200,
  'POST /sign-in': 401,
}

let world: World
let app: FastifyInstance
let served: string[]
let cookies: Record<Caller, string>

beforeAll(async () => {
  world = await openSite('sqlite', { limits: LIMITS })
  const routes = routesOfServers()
  const { store, clock } = world
  app = await buildConsole({
    ...{ store, clock, authSecret: SECRET, availability: { silentAfterS: 300 }, limits: LIMITS },
    ...{ metrics: createMetrics(), logger: createLogger('silent') },
  })
  served = routes.stop()
  const expired = await sessionOf('expired')
  clock.advance(OPERATOR_SESSION_MS)
  const operator = await sessionOf('operator')
  const [signedOut, removed] = [await sessionOf('out'), await sessionOf('removed')]
  await send('POST', '/sign-out', signedOut, { csrf: await csrfOf(signedOut) })
  await removeOperator(store, clock, 'removed')
  const owner = (await signedIn(world)).cookie
  cookies = { none: '', key: '', owner, 'signed out': signedOut, removed, expired, 'without form': operator, operator }
})
afterAll(async () => {
  await app.close()
  await world.close()
})

/** Of a new operator. */
async function sessionOf(name: string): Promise<string> {
  const added = await addOperator(world.store, world.clock, name, PASSWORD)
  if (added.kind !== 'enrolled') throw new Error(added.why)
  const code = await codeOf(enrolmentLink(SECRET, added.enrolment, name), Date.now())
  const { headers } = await send('POST', '/sign-in', '', { name, password: PASSWORD, code })
  return String(headers['set-cookie']).split(';', 1)[0] ?? ''
}

async function send(method: string, url: string, cookie: string, form: Record<string, string>, headers = {}) {
  return app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: {
      ...(cookie !== '' && { cookie }),
      ...(method !== 'GET' && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(method !== 'GET' && { payload: new URLSearchParams(form).toString() }),
  })
}

const csrfOf = async (cookie: string): Promise<string> =>
  /name="csrf" value="(\w+)"/.exec((await send('GET', '/', cookie, {})).body)?.[1] ?? ''

async function asked(id: string, caller: Caller) {
  const [method = '', path = ''] = id.split(' ')
  const url = path.replace('{id}', world.holder.buildingId)
  const cookie = cookies[caller]
  const form = caller === 'operator' && method === 'POST' ? { csrf: await csrfOf(cookie) } : {}
  return send(method, url, cookie, form, caller === 'key' ? { 'x-api-key': world.holder.writeKey } : {})
}

test('every route of the operators’ console lets in operators alone', async () => {
  const wrong: string[] = []
  const told = [world.holder.buildingId, 'Lakeside', 'ada@example.org']
  for (const id of Object.keys(ANSWERS))
    for (const caller of CALLERS) {
      const { statusCode, body } = await asked(id, caller)
      const isIn = caller === 'operator' || (caller === 'without form' && id.startsWith('GET'))
      const wanted = isIn ? ANSWERS[id] : caller === 'without form' ? 403 : 401
      if (statusCode !== wanted) wrong.push(`${id} as ${caller}: ${statusCode}, not ${wanted}`)
      const tells = isIn ? undefined : told.find((text) => body.includes(text))
      if (tells !== undefined) wrong.push(`${id} tells ${caller} of ${tells}`)
    }
  for (const [id, wanted] of Object.entries(OPEN)) {
    const { statusCode } = await asked(id, 'none')
    if (statusCode !== wanted) wrong.push(`${id}: ${statusCode}, not ${wanted}`)
  }
  expect(wrong).toEqual([])
})

test('the console has no other routes', () => {
  expect(served).toEqual([...Object.keys(ANSWERS), ...Object.keys(OPEN)].toSorted())
})
