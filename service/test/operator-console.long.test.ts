import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, PASSWORD as OWNERS_PASSWORD } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { codeOf } from '@hypocaust/testing/totp.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { RequestErrors } from '../src/people/fleet/request-errors.ts'
import { addOperator, operatorOf, removeOperator, resetOperator } from '../src/people/operators/operators.ts'
import { enrolmentLink } from '../src/people/operators/second-factor.ts'
import { openSession } from '../src/people/operators/sessions.ts'
import { buildConsole } from '../src/roles/operator.ts'

const SECRET = 'a secret of thirty-two letters or more'
const PASSWORD = 'a password of an operator'
const REASON = 'The owner asked on the phone why the bath is cold'
const SILENT_AFTER_S = 300

describe.each(ENGINES)('the operators’ console on %s', (engine) => {
  let world: World
  let app: FastifyInstance
  let cookie = ''
  const enrolments = new Map<string, string>()

  beforeAll(async () => {
    world = await openSite(engine, { limits: { read: 600, write: 120 } })
    app = await buildConsole({
      store: world.store,
      clock: world.clock,
      authSecret: SECRET,
      availability: { silentAfterS: SILENT_AFTER_S },
      limits: { read: 600, write: 120 },
      monthlyCost: 200,
      metrics: createMetrics(),
      logger: createLogger('silent'),
    })
    await add('olga')
    cookie = await cookieOf('olga')
  })
  afterAll(async () => {
    await app.close()
    await world.close()
  })

  async function add(name: string): Promise<void> {
    const added = await addOperator(world.store, world.clock, name, PASSWORD)
    if (added.kind !== 'enrolled') throw new Error(added.why)
    enrolments.set(name, added.enrolment)
  }
  const codeNow = (name: string) => codeOf(enrolmentLink(SECRET, enrolments.get(name) ?? '', name), Date.now())

  const call = async (method: 'GET' | 'POST', url: string, form: Record<string, string> = {}, as = cookie) => {
    const body = method === 'POST' ? { payload: new URLSearchParams(form).toString() } : {}
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await app.inject({ method, url, headers: { cookie: as, ...(method === 'POST' && type) }, ...body })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }
  const signIn = (name: string, password: string, code: string) =>
    call('POST', '/sign-in', { name, password, code }, '')
  async function cookieOf(name: string): Promise<string> {
    const { status, headers } = await signIn(name, PASSWORD, await codeNow(name))
    expect(status).toBe(303)
    return String(headers['set-cookie']).split(';', 1)[0] ?? ''
  }
  const csrf = async (as = cookie) => /name="csrf" value="(\w+)"/.exec((await call('GET', '/', {}, as)).text)?.[1] ?? ''
  const post = async (url: string, form: Record<string, string> = {}, as = cookie) =>
    call('POST', url, { ...form, csrf: await csrf(as) }, as)
  const acts = () => world.store.db.selectFrom('operatorActs').selectAll().orderBy('id').execute()
  const path = () => `/buildings/${world.holder.buildingId}`

  test('opens with name, password and code, and to nothing less', async () => {
    await add('otto')
    const code = await codeNow('otto')
    for (const [name, password, given] of [
      ['otto', PASSWORD, '000000'],
      ['otto', 'another password', code],
      ['nobody', PASSWORD, code],
      ['ada@example.org', OWNERS_PASSWORD, code],
    ] as const)
      expect([name, (await signIn(name, password, given)).status]).toEqual([name, 401])
    const { headers } = await signIn('otto', PASSWORD, code)
    expect(String(headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict; Path=\/; Max-Age=28800$/)
    expect((await signIn('otto', PASSWORD, code)).status).toBe(401)
  })

  test('what is no form is refused as that, and is no fault of the console', async () => {
    const send = async (type: string, payload: string) =>
      (await app.inject({ method: 'POST', url: '/sign-in', headers: { 'content-type': type }, payload })).statusCode
    expect(await send('application/json', '{"name":"olga"}')).toBe(415)
    expect(await send('application/x-www-form-urlencoded', `name=${'a'.repeat(20_000)}`)).toBe(413)
    expect(await send('application/x-www-form-urlencoded', 'name=%00%ff&password=%zz&code=')).toBe(401)
  })

  test('nobody is signed in by a form on a page of another site', async () => {
    await add('oona')
    const form = { name: 'oona', password: PASSWORD, code: await codeNow('oona') }
    const send = async (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: '/sign-in',
        headers: { host: 'operators.local', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams(form).toString(),
      })
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['origin', 'null'],
      ['sec-fetch-site', 'cross-site'],
      ['sec-fetch-site', 'same-site'],
    ] as const) {
      const { statusCode, headers } = await send({ [name]: value })
      expect([value, statusCode, headers['set-cookie']]).toEqual([value, 403, undefined])
    }
    expect((await send({ origin: 'http://operators.local', 'sec-fetch-site': 'same-origin' })).statusCode).toBe(303)
  })

  test('guessing is slow', async () => {
    const tries = await Promise.all(Array.from({ length: 8 }, () => signIn('oscar', PASSWORD, '123456')))
    expect(tries.map(({ status }) => status)).toContain(429)
    world.clock.advance(2 * MINUTE_MS)
  })

  test('shows nothing to a stranger, on no path and by no method', async () => {
    for (const as of ['', 'hypocaust-operator=', 'hypocaust-operator=x'])
      for (const url of ['/', '/tenants', '/limits', '/errors', '/acts', path()]) {
        const { status, text } = await call('GET', url, {}, as)
        expect([url, status]).toEqual([url, 401])
        expect(text).not.toContain('example.org')
      }
    for (const url of ['/sign-out', '/search', `${path()}/temperatures`])
      expect((await call('POST', url, { search: 'a', reason: REASON }, '')).status).toBe(401)
    expect((await call('GET', '/v1/buildings')).status).toBe(404)
    expect((await call('GET', '/app/session')).status).toBe(404)
  })

  test('a session ends after eight hours, with a sign-out, a reset, and the operator', async () => {
    await add('ovid')
    const first = await cookieOf('ovid')
    expect((await call('GET', '/', {}, first)).status).toBe(200)
    expect((await post('/sign-out', {}, first)).status).toBe(303)
    expect((await call('GET', '/', {}, first)).status).toBe(401)

    const reset = await resetOperator(world.store, world.clock, 'ovid', PASSWORD)
    enrolments.set('ovid', reset?.kind === 'enrolled' ? reset.enrolment : '')
    const second = await cookieOf('ovid')
    world.clock.advance(8 * HOUR_MS)
    expect((await call('GET', '/', {}, second)).status).toBe(401)

    const again = await resetOperator(world.store, world.clock, 'ovid', PASSWORD)
    enrolments.set('ovid', again?.kind === 'enrolled' ? again.enrolment : '')
    const third = await cookieOf('ovid')
    await removeOperator(world.store, world.clock, 'ovid')
    expect((await call('GET', '/', {}, third)).status).toBe(401)
    cookie = await cookieAnew('olga')
  })
  const cookieAnew = async (name: string) => {
    const reset = await resetOperator(world.store, world.clock, name, PASSWORD)
    enrolments.set(name, reset?.kind === 'enrolled' ? reset.enrolment : '')
    return cookieOf(name)
  }

  test('a sign-in under way does not outlast a reset', async () => {
    const { store, clock } = world
    await add('rita')
    const password = PASSWORD
    const proven = await operatorOf(store, SECRET, { name: 'rita', password, code: await codeNow('rita') })
    if (!proven) throw new Error('not signed in')
    await resetOperator(store, clock, 'rita', 'another password of an operator')
    expect(await openSession(store, clock.now(), proven, '192.0.2.1')).toBeUndefined()
    await removeOperator(store, clock, 'rita')
    expect(await openSession(store, clock.now(), proven, '192.0.2.1')).toBeUndefined()
    expect((await acts()).filter(({ operator }) => operator === 'rita')).toEqual([])
  })

  test('a form of another page changes nothing', async () => {
    const { status } = await call('POST', `${path()}/temperatures`, { reason: REASON, csrf: 'guessed' })
    expect(status).toBe(403)
    expect((await acts()).map(({ act }) => act)).not.toContain('temperatures_read')
  })

  test('lists buildings by what they need, and finds them by name, owner and gateway', async () => {
    const { store, clock, holder } = world
    await world.gatewaysReport()
    const shown = async (url: string) => (await call('GET', url)).text
    const isListed = (text: string) => text.includes(path())
    expect(isListed(await shown('/'))).toBe(true)
    expect(isListed(await shown('/?need=offline'))).toBe(false)
    clock.advance(10 * MINUTE_MS)
    expect(isListed(await shown('/?need=offline'))).toBe(true)
    await world.gatewaysReport()

    const alert = { buildingId: holder.buildingId, roomId: world.bathroomId, alert: '{}', beganAt: clock.now() }
    const open = (id: string, subject: string) =>
      store.db
        .insertInto('alerts')
        .values({ ...alert, id, subject, openSubject: subject })
        .execute()
    await open('one', `valve_without_effect ${world.bathroomId}`)
    expect(isListed(await shown('/?need=no_heat'))).toBe(true)
    expect(isListed(await shown('/?need=sensors'))).toBe(false)
    await open('two', `sensor_silent ${world.bathroomId}`)
    expect(isListed(await shown('/?need=sensors'))).toBe(true)
    expect(await shown('/')).toContain('With alerts (1)')

    await store.db
      .updateTable('gateways')
      .set({ version: '0.0.1' })
      .where('id', '=', holder.gatewayIds[0] ?? '')
      .execute()
    expect(isListed(await shown('/?need=old_gateway'))).toBe(true)

    expect(isListed(await shown('/?need=learning'))).toBe(false)
    const promises = Array.from({ length: 8 }, (_, i) => ({
      roomId: world.bathroomId,
      dueAt: clock.now() - i * HOUR_MS,
      setpointC: 21,
      expectedC: 21,
      measuredC: 19,
    }))
    await store.db.insertInto('promises').values(promises).execute()
    expect(isListed(await shown('/?need=learning'))).toBe(true)

    for (const search of ['ADA@', holder.gatewayIds[0] ?? '', holder.buildingId])
      expect([search, isListed((await post('/search', { search })).text)]).toEqual([search, true])
    for (const search of ['eve@', '%', '_'])
      expect([search, isListed((await post('/search', { search })).text)]).toEqual([search, false])
    expect((await acts()).filter(({ act }) => act === 'searched').map(({ subject }) => subject)).toContain('ADA@')
  })

  test('shows a temperature only for a reason, which residents read in the change log like owners', async () => {
    const { store, clock, holder } = world
    await world.report(BATHROOM_SENSOR, { temperatureC: 23.4, humidityPct: 47.6 })
    for (const url of ['/', path(), '/tenants', '/acts'])
      expect((await call('GET', url)).text).not.toMatch(/23\.4|48 %/)
    expect((await post(`${path()}/temperatures`, { reason: 'because' })).status).toBe(400)
    expect((await post(`${path()}/temperatures`, { reason: '   \n           ' })).status).toBe(400)
    const { status, text } = await post(`${path()}/temperatures`, { reason: REASON })
    expect([status, text]).toEqual([200, expect.stringMatching(/Bathroom[\s\S]*23\.4 °C[\s\S]*48 %/)])

    await settleMember(store, clock, { buildingId: holder.buildingId, role: 'resident', email: 'bo@example.org' })
    for (const email of ['ada@example.org', 'bo@example.org']) {
      const { json } = await (await signedIn(world, email)).call('GET', `/app/buildings/${holder.buildingId}/changes`)
      const entry = json.changes.find(({ field }: { field: string }) => field === 'operator_access')
      expect(entry).toMatchObject({
        actor: { kind: 'operator', name: 'olga' },
        after: REASON,
        can_undo: false,
      })
    }
    const last = (await acts()).at(-1)
    expect(last).toMatchObject({
      operator: 'olga',
      act: 'temperatures_read',
      subject: holder.buildingId,
      detail: REASON,
    })
    expect((await call('GET', '/acts')).text).toContain(REASON)
  })

  test('what operators did cannot be changed or removed, not even in the database', async () => {
    const before = await acts()
    expect(before.map(({ act }) => act)).toContain('signed_in')
    const { db } = world.store
    await expect(
      db
        .updateTable('operatorActs')
        .set({ detail: '' } as never)
        .execute(),
    ).rejects.toThrow(/not changed/)
    await expect(db.deleteFrom('operatorActs').execute()).rejects.toThrow(/not changed/)
    const [first] = await db.selectFrom('operatorActs').selectAll().orderBy('id').limit(1).execute()
    if (!first) throw new Error('no acts')
    const forged = db.insertInto('operatorActs').values({ ...first, detail: 'forged' })
    const inItsPlace =
      engine === 'sqlite'
        ? forged.orReplace()
        : forged.onConflict((of) => of.column('id').doUpdateSet({ detail: 'forged' } as never))
    await expect(inItsPlace.execute()).rejects.toThrow(/not changed/)
    expect(await acts()).toEqual(before)
  })

  test('shows the load and cost of each account, and the errors of all processes', async () => {
    const tenants = (await call('GET', '/tenants')).text
    expect(tenants).toMatch(/ada@example\.org[\s\S]*\d+\.\d %[\s\S]*\d+\.\d\d/)
    const errors = new RequestErrors(world.store, world.clock)
    errors.note({ requestId: 'r-1', route: 'GET /v1/buildings', status: 500, message: `<script>hyp_${'a'.repeat(38)}` })
    await errors.write()
    const { text } = await call('GET', '/errors')
    expect(text).toMatch(/500[\s\S]*GET \/v1\/buildings[\s\S]*&lt;script&gt;hyp_\[hidden\][\s\S]*r-1/)
    world.clock.advance(8 * 24 * HOUR_MS)
    cookie = await cookieAnew('olga')
    errors.note({ requestId: 'r-2', route: 'none', status: 500, message: '' })
    await errors.write()
    expect((await call('GET', '/errors')).text).not.toContain('r-1')
  })

  test('shows an error that is noted while others are written, and one with letters that no database stores', async () => {
    const errors = new RequestErrors(world.store, world.clock)
    const note = (requestId: string, message: string) => errors.note({ requestId, route: 'none', status: 500, message })
    note('r-3', 'a\u0000b\ud800')
    const writing = errors.write()
    note('r-4', '')
    await writing
    await errors.write()
    const { text } = await call('GET', '/errors')
    expect(text).toContain('r-3')
    expect(text).toContain('r-4')
  })

  test('shows which keys use up their limits, where processes count together', async () => {
    await world.get('/v1/buildings')
    const { text } = await call('GET', '/limits')
    expect(text).toContain(engine === 'postgres' ? ' of 600' : 'Each process counts for itself')
  })

  test('speaks German', async () => {
    const headers = { cookie, 'accept-language': 'de-AT,de;q=0.9' }
    expect((await app.inject({ url: '/', headers })).body).toContain('Gebäude')
    expect((await app.inject({ url: '/nowhere', headers })).body).toContain('Diese Seite')
  })
})
