import { DAY_MS, type NewInvitation, ROLES } from '@hypocaust/domain'
import { Browser, HOST, openSite, PASSWORD, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { addAccount } from '@hypocaust/testing/houses.ts'
import { MailServer, PUBLIC_URL } from '@hypocaust/testing/mail-server.ts'
import { type SettledMember, settleMember } from '@hypocaust/testing/members.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import type { World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(ENGINES)('members on %s', (engine) => {
  let world: World
  let ada: Browser
  let people = 0
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())

  const path = (rest = '') => `/app/buildings/${world.holder.buildingId}${rest}`
  const newAddress = () => `person-${++people}@example.org`

  async function newPerson(): Promise<{ email: string; browser: Browser }> {
    const email = newAddress()
    await addAccount(world.store, email)
    return { email, browser: await signedIn(world, email) }
  }

  async function invited(invitation: NewInvitation, by = ada) {
    const answer = await by.call('POST', path('/invitations'), invitation)
    if (answer.status !== 200) throw new Error(answer.text)
    return { ...answer.json, secret: new URL(answer.json.link).hash.slice(1) as string }
  }

  const accept = (browser: Browser, secret: string) => browser.call('POST', '/app/invitations/acceptance', { secret })

  async function owners(buildingId = world.holder.buildingId): Promise<string[]> {
    const rows = await world.store.db
      .selectFrom('members')
      .select('accountId')
      .where('buildingId', '=', buildingId)
      .where('role', '=', 'owner')
      .execute()
    return rows.map(({ accountId }) => accountId)
  }

  test('a person is known by the address, and by a name once one is chosen', async () => {
    const { email, browser } = await newPerson()
    await accept(browser, (await invited({ role: 'resident' })).secret)
    const listed = async () =>
      (await ada.call('GET', path('/members'))).json.find((member: { email: string }) => member.email === email).name
    expect(await listed()).toBe(email)
    expect((await browser.call('PUT', '/app/name', { name: '  Bea Lind ' })).status).toBe(204)
    expect(await listed()).toBe('Bea Lind')
    expect((await browser.call('GET', '/app/session')).json.account).toMatchObject({ name: 'Bea Lind', email })
    for (const name of ['', ' ', 'x'.repeat(101), 'a\u0000b'])
      expect((await browser.call('PUT', '/app/name', { name })).status).toBe(400)
    expect(await listed()).toBe('Bea Lind')
  })

  test('an invitation makes a person with an account a member, once', async () => {
    const { secret } = await invited({ role: 'resident' })
    const [bea, carl] = [await newPerson(), await newPerson()]
    const answers = await Promise.all([accept(bea.browser, secret), accept(carl.browser, secret)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const [joined, late] = answers[0]?.status === 200 ? [bea, carl] : [carl, bea]
    expect((await joined.browser.call('GET', '/app/buildings')).json).toMatchObject([{ role: 'resident' }])
    expect((await late.browser.call('GET', '/app/buildings')).json).toEqual([])
    const { json } = await ada.call('GET', path('/members'))
    expect(json).toContainEqual(expect.objectContaining({ email: joined.email, role: 'resident', until: null }))
  })

  test('its link is good for a week, and no longer than what it grants', async () => {
    const [soonMs, lateMs] = [2, 30].map((days) => world.clock.now() + days * DAY_MS) as [number, number]
    const expiry = async (untilMs: number) =>
      Date.parse((await invited({ role: 'resident', until: new Date(untilMs).toISOString() })).expires_at)
    expect(await expiry(soonMs)).toBe(soonMs)
    expect(await expiry(lateMs)).toBe(world.clock.now() + 7 * DAY_MS)
  })

  test('its link leads to where the owner is at home, and to no host that the request makes up', async () => {
    const evil = { host: 'evil.example', origin: 'http://evil.example' }
    const refused = await ada.call('POST', path('/invitations'), { role: 'resident' }, evil)
    expect([refused.status, refused.json.error.code]).toEqual([403, 'foreign_origin'])
    const { id, link } = await invited({ role: 'resident' })
    expect(new URL(link).host).toBe(HOST)
    const open = await ada.call('GET', path('/invitations'))
    expect(open.json.map((each: { id: string }) => each.id)).toContain(id)
    expect(open.text).not.toContain('evil')
  })

  test('one bound to an address is for that account only', async () => {
    const bea = await newPerson()
    const { secret } = await invited({ role: 'resident', email: bea.email.toUpperCase() })
    const other = await newPerson()
    expect((await accept(other.browser, secret)).json.error.code).toBe('other_address')
    expect((await accept(bea.browser, secret)).status).toBe(200)
  })

  test('a new account that says it has the address of an invitation becomes a member when an owner confirms it', async () => {
    const email = newAddress()
    const { secret, id, link } = await invited({ role: 'owner', email })
    expect(link).not.toBeNull()
    const look = await new Browser(world).call('POST', '/app/invitations/look', { secret })
    expect(look.text).not.toContain(email)
    const thief = new Browser(world)
    expect((await thief.call('POST', '/app/accounts', { email, password: PASSWORD, invitation: secret })).status).toBe(
      200,
    )
    expect((await thief.call('GET', '/app/buildings')).json).toEqual([])
    expect((await accept(thief, secret)).json.error.code).toBe('awaits_confirmation')
    const open = async () => (await ada.call('GET', path('/invitations'))).json
    expect(await open()).toContainEqual(expect.objectContaining({ id, claimed_by: email }))
    const confirm = (by: Browser) => by.call('POST', path(`/invitations/${id}/confirmation`))
    expect((await confirm(thief)).status).toBe(404)
    expect((await confirm(ada)).status).toBe(204)
    expect((await thief.call('GET', '/app/buildings')).json).toMatchObject([{ role: 'owner' }])
    expect((await confirm(ada)).status).toBe(404)
    expect(
      (await ada.call('DELETE', path(`/members/${(await thief.call('GET', '/app/session')).json.account.id}`))).status,
    ).toBe(204)
  })

  test('an unconfirmed claim keeps a second one out, and a withdrawn invitation confirms nobody', async () => {
    const email = newAddress()
    const { secret, id } = await invited({ role: 'resident', email })
    const first = new Browser(world)
    const account = { email, password: PASSWORD, invitation: secret }
    expect((await first.call('POST', '/app/accounts', account)).status).toBe(200)
    expect((await ada.call('DELETE', path(`/invitations/${id}`))).status).toBe(204)
    expect((await ada.call('POST', path(`/invitations/${id}/confirmation`))).status).toBe(404)
    expect((await accept(first, secret)).status).toBe(404)
    expect((await first.call('GET', '/app/buildings')).json).toEqual([])
  })

  test('a link that was sent by mail is shown to nobody, and proves the address', async () => {
    const mail = new MailServer()
    await mail.start()
    const site = await openSite(engine, { website: { ...WEBSITE, publicUrl: PUBLIC_URL, mailer: mail.mailer() } })
    const owner = await signedIn(site)
    const email = newAddress()
    const { json } = await owner.call('POST', `/app/buildings/${site.holder.buildingId}/invitations`, {
      role: 'owner',
      email,
    })
    expect(json).toMatchObject({ is_mailed: true, link: null, qr: null })
    const [, secret = ''] = /#(hypi_\w+)/.exec(mail.received[0]?.text ?? '') ?? []
    const bea = new Browser(site)
    expect((await bea.call('POST', '/app/accounts', { email, password: PASSWORD, invitation: secret })).status).toBe(
      200,
    )
    expect((await bea.call('GET', '/app/buildings')).json).toMatchObject([{ role: 'owner' }])
    await site.close()
    await mail.stop()
  })

  test('a person without an account registers with it although sign-up is closed, and with nothing else', async () => {
    const email = newAddress()
    const account = { email, password: PASSWORD }
    expect((await new Browser(world).call('POST', '/app/accounts', account)).json.error.code).toBe('sign_up_closed')
    const { secret } = await invited({ role: 'resident' })
    const wrong = { ...account, invitation: `${secret}x` }
    expect((await new Browser(world).call('POST', '/app/accounts', wrong)).status).toBe(404)
    const bea = new Browser(world)
    expect((await bea.call('POST', '/app/accounts', { ...account, invitation: secret })).status).toBe(200)
    expect((await bea.call('GET', '/app/buildings')).json).toMatchObject([{ role: 'resident' }])
    const again = { email: newAddress(), password: PASSWORD, invitation: secret }
    expect((await new Browser(world).call('POST', '/app/accounts', again)).status).toBe(404)
    expect((await new Browser(world).signIn(again.email)).status).toBe(401)
  })

  test('it says before it is accepted what it is for, is stored as a hash, and ends after seven days', async () => {
    const { secret, qr } = await invited({ role: 'guest', room_ids: [world.bathroomId] })
    expect(qr).toContain('<svg')
    const look = () => new Browser(world).call('POST', '/app/invitations/look', { secret })
    expect((await look()).json).toMatchObject({
      building: 'Lakeside 12',
      role: 'guest',
      rooms: ['Bathroom'],
      invited_by: 'ada@example.org',
    })
    expect(JSON.stringify(await world.store.db.selectFrom('invitations').selectAll().execute())).not.toContain(secret)
    world.clock.advance(7 * DAY_MS - 1)
    expect((await look()).status).toBe(200)
    world.clock.advance(1)
    expect((await look()).status).toBe(404)
    expect((await accept((await newPerson()).browser, secret)).status).toBe(404)
  })

  test('an invitation that is withdrawn, or whose owner is no owner any more, opens nothing', async () => {
    const withdrawn = await invited({ role: 'resident' })
    expect((await ada.call('DELETE', path(`/invitations/${withdrawn.id}`))).status).toBe(204)
    expect((await accept((await newPerson()).browser, withdrawn.secret)).status).toBe(404)
    const eve = await newPerson()
    await accept(eve.browser, (await invited({ role: 'owner' })).secret)
    const ofEve = await invited({ role: 'resident' }, eve.browser)
    expect((await eve.browser.call('DELETE', path('/membership'))).status).toBe(204)
    expect((await accept((await newPerson()).browser, ofEve.secret)).status).toBe(404)
  })

  test('a guest sees the two chosen rooms until the date, then none', async () => {
    const { roomIds } = world.holder
    const until = new Date(world.clock.now() + 3 * DAY_MS).toISOString()
    const { secret } = await invited({ role: 'guest', room_ids: roomIds.slice(0, 2), until })
    const guest = await newPerson()
    await accept(guest.browser, secret)
    const rooms = async () =>
      (await guest.browser.call('GET', '/app/buildings')).json.flatMap((each: { rooms: { id: string }[] }) =>
        each.rooms.map(({ id }) => id),
      )
    expect(await rooms()).toEqual(roomIds.slice(0, 2))
    const sourceReport = JSON.stringify({ lock: null, covers: [{ name: 'attic-south', held: 'no' }] })
    await world.store.db.updateTable('gateways').set({ sourceReport }).execute()
    const covers = async (browser: Browser) => (await browser.call('GET', '/app/buildings')).json[0].covers
    expect([await covers(ada), await covers(guest.browser)]).toEqual([['attic-south'], []])
    world.clock.advance(3 * DAY_MS - 1)
    expect(await rooms()).toEqual(roomIds.slice(0, 2))
    world.clock.advance(1)
    expect(await rooms()).toEqual([])
    expect((await guest.browser.call('GET', `/app/rooms/${roomIds[0]}/outlook`)).status).toBe(404)
  })

  test.each([
    ['a guest without rooms', { role: 'guest' }],
    ['an owner with an end', { role: 'owner', until: '2099-01-01T00:00:00.000Z' }],
    ['an installer without an end', { role: 'installer', until: null }],
    ['a resident of some rooms', { role: 'resident', room_ids: [] }],
    ['an end in the past', { role: 'resident', until: '2020-01-01T00:00:00.000Z' }],
    ['a handover to a resident', { role: 'resident', hand_over: { giver: 'leaves' } }],
  ])('%s is refused', async (_what, invitation) => {
    expect((await ada.call('POST', path('/invitations'), invitation)).json.error.code).toBe('invalid_value')
  })

  test('the last owner can neither leave nor become something else; of two who leave at once, one stays', async () => {
    expect((await ada.call('DELETE', path('/membership'))).json.error.code).toBe('last_owner')
    const self = path(`/members/${world.holder.accountId}`)
    expect((await ada.call('PATCH', self, { role: 'resident' })).json.error.code).toBe('last_owner')
    const bea = await newPerson()
    await accept(bea.browser, (await invited({ role: 'owner' })).secret)
    const answers = await Promise.all([ada, bea.browser].map((each) => each.call('DELETE', path('/membership'))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const [remaining = ''] = await owners()
    const account = await world.store.db
      .selectFrom('buildings')
      .select('accountId')
      .where('id', '=', world.holder.buildingId)
      .executeTakeFirst()
    expect(account).toEqual({ accountId: remaining })
    if (remaining === world.holder.accountId) return
    await accept(ada, (await invited({ role: 'owner' }, bea.browser)).secret)
    await bea.browser.call('DELETE', path('/membership'))
  })

  test('a key no longer reaches the building once its holder has left', async () => {
    const { store, clock, holder } = world
    const email = newAddress()
    const { accountId, writeKey } = await settleMember(store, clock, { ...holder, email, role: 'resident' })
    expect((await world.get(world.roomsPath, { key: writeKey })).status).toBe(200)
    expect((await world.get(world.roomsPath, { key: writeKey })).status).toBe(200)
    expect((await ada.call('DELETE', path(`/members/${accountId}`))).status).toBe(204)
    expect((await world.get(world.roomsPath, { key: writeKey })).status).toBe(404)
    expect((await world.get('/v1/buildings', { key: writeKey })).json).toEqual([])
  })

  test('after a handover the installer cannot change a valve; a stay as installer ends on its date', async () => {
    const { buildingId } = world.stranger
    const installer = await signedIn(world, 'bob@example.org')
    const of = (rest: string) => `/app/buildings/${buildingId}${rest}`
    const valve = { valves: [] }
    const changeValve = () => installer.call('PATCH', `/app/rooms/${world.stranger.roomIds[0]}`, valve)
    const handOver = async (by: Browser, hand_over: NewInvitation['hand_over']) => {
      const { json } = await by.call('POST', of('/invitations'), { role: 'owner', hand_over })
      return new URL(json.link).hash.slice(1)
    }
    const owner = await newPerson()
    const offered = await handOver(installer, { giver: 'installer' })
    expect((await installer.call('GET', of('/members'))).json).toMatchObject([{ role: 'owner', is_self: true }])
    expect((await accept(owner.browser, offered)).status).toBe(200)
    expect((await installer.call('GET', of('/members'))).json).toMatchObject([{ role: 'installer', is_self: true }])
    expect((await changeValve()).status).toBe(200)
    expect((await installer.call('POST', of('/invitations'), { role: 'owner' })).status).toBe(403)
    expect((await owner.browser.call('GET', of('/members'))).json).toHaveLength(2)
    world.clock.advance(30 * DAY_MS)
    expect((await changeValve()).status).toBe(404)

    const back = await handOver(owner.browser, { giver: 'leaves' })
    expect((await accept(installer, back)).status).toBe(200)
    expect((await owner.browser.call('GET', '/app/buildings')).json).toEqual([])
    expect((await changeValve()).status).toBe(200)
    const last = await handOver(installer, { giver: 'leaves' })
    expect((await accept(owner.browser, last)).status).toBe(200)
    expect((await changeValve()).status).toBe(404)
  })

  test('any sequence of member operations, also at the same moment, leaves at least one owner', async () => {
    const { store, clock, holder } = world
    const crew: { member: SettledMember; browser: Browser }[] = []
    for (const role of ROLES) {
      const email = newAddress()
      const member = await settleMember(store, clock, { ...holder, email, role, roomIds: holder.roomIds })
      crew.push({ member, browser: await signedIn(world, email) })
    }
    const all = [{ accountId: holder.accountId, browser: ada }].concat(
      crew.map(({ member, browser }) => ({ accountId: member.accountId, browser })),
    )
    const who = fc.integer({ min: 0, max: all.length - 1 })
    const operation = fc.oneof(
      fc.record({ kind: fc.constant('leave' as const), by: who }),
      fc.record({ kind: fc.constant('remove' as const), by: who, whom: who }),
      fc.record({ kind: fc.constant('change' as const), by: who, whom: who, role: fc.constantFrom(...ROLES) }),
      fc.record({ kind: fc.constant('hand over' as const), by: who, whom: who }),
      fc.record({ kind: fc.constant('invite' as const), by: who, whom: who, role: fc.constantFrom(...ROLES) }),
    )
    type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never
    const carryOut = async (op: Operation) => {
      const by = all[op.by]?.browser ?? ada
      const whom = all['whom' in op ? op.whom : op.by] ?? { accountId: '', browser: ada }
      const rooms = { room_ids: holder.roomIds.slice(0, 1) }
      if (op.kind === 'leave') return void (await by.call('DELETE', path('/membership')))
      if (op.kind === 'remove') return void (await by.call('DELETE', path(`/members/${whom.accountId}`)))
      const role = 'role' in op ? op.role : 'owner'
      const grant = { role, ...(role === 'guest' && rooms) }
      if (op.kind === 'change') return void (await by.call('PATCH', path(`/members/${whom.accountId}`), grant))
      const body = op.kind === 'invite' ? grant : { role: 'owner', hand_over: { giver: 'leaves' } }
      const { json, status } = await by.call('POST', path('/invitations'), body)
      if (status === 200) await accept(whom.browser, new URL(json.link).hash.slice(1))
    }
    const sequence = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(sequence, async (turns) => {
        for (const together of turns) {
          await Promise.all(together.map(carryOut))
          const now = await owners()
          expect(now.length).toBeGreaterThan(0)
          const building = await store.db
            .selectFrom('buildings')
            .select('accountId')
            .where('id', '=', holder.buildingId)
            .executeTakeFirst()
          expect(now).toContain(building?.accountId)
        }
      }),
      { numRuns: runs(15) },
    )
  })
})
