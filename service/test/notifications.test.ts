import { request } from 'node:https'
import { type Browser, openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { MailServer } from '@hypocaust/testing/mail-server.ts'
import { PushService, vapidClaims } from '@hypocaust/testing/push-service.ts'
import type { World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../src/base/public-address.ts'
import { isPushAddress, publicNetwork } from '../src/people/notify/push/network.ts'
import { vapidKeysOf } from '../src/people/notify/push/vapid.ts'

describe.each(ENGINES)('notifications on %s', (engine) => {
  let world: World
  let ada: Browser
  const mail = new MailServer()
  const push = new PushService()

  beforeAll(async () => {
    await Promise.all([mail.start(), push.start()])
    const reach = { network: push.network, contact: 'https://heating.example' }
    world = await openSite(engine, { website: { ...WEBSITE, mailer: mail.mailer(), push: reach } })
  })
  afterAll(async () => {
    await world.close()
    await Promise.all([mail.stop(), push.stop()])
  })
  beforeEach(async () => {
    world.clock.advance(16 * MINUTE_MS)
    await world.store.db.deleteFrom('pushDevices').execute()
    await world.store.db.deleteFrom('notificationChoices').execute()
    push.received.length = 0
    mail.received.length = 0
    push.status = 201
    ada = await signedIn(world)
  })

  const add = (browser: Browser, device: object) =>
    browser.call('PUT', '/app/notifications/devices', { language: 'en', ...device })

  test('begin with nothing switched on, and a choice is kept', async () => {
    const first = (await ada.call('GET', '/app/notifications', undefined, { 'accept-language': 'de-AT' })).json
    expect(first).toMatchObject({ mail: false, muted: [], language: 'de', mail_possible: true, devices: [] })
    const choice = { mail: true, language: 'en', muted: ['battery_low'] }
    expect((await ada.call('PUT', '/app/notifications', choice)).json).toMatchObject(choice)
    expect((await ada.call('GET', '/app/notifications')).json).toMatchObject(choice)
    expect((await ada.call('PUT', '/app/notifications', { ...choice, muted: ['rain'] })).status).toBe(400)
  })

  test('a test reaches the mailbox and the device, encrypted for it and signed by this service', async () => {
    const { push_key } = (await ada.call('PUT', '/app/notifications', { mail: true, language: 'en', muted: [] })).json
    await add(ada, push.subscribe('phone'))
    expect((await ada.call('POST', '/app/notifications/test')).json).toEqual({ mail: 'sent', push: 'sent' })
    expect(mail.received[0]).toMatchObject({ to: 'ada@example.org', subject: 'Test notification from Hypocaust' })
    expect(push.received[0]?.message).toMatchObject({ title: 'Test notification from Hypocaust', path: '/alerts' })
    const claims = vapidClaims(String(push.received[0]?.headers.authorization), push_key)
    expect(claims).toMatchObject({ aud: push.url, sub: 'https://heating.example' })
  })

  test('a test says what failed and what is off, and cannot be used to flood', async () => {
    expect((await ada.call('POST', '/app/notifications/test')).json).toEqual({ mail: 'off', push: 'off' })
    await add(ada, push.subscribe())
    push.status = 500
    expect((await ada.call('POST', '/app/notifications/test')).json).toEqual({ mail: 'off', push: 'failed' })
    for (let i = 0; i < 3; i++) expect((await ada.call('POST', '/app/notifications/test')).status).toBe(200)
    expect((await ada.call('POST', '/app/notifications/test')).status).toBe(429)
  })

  test('a device is listed and removed by its holder alone; the same browser twice is one device', async () => {
    const phone = push.subscribe('phone')
    await add(ada, phone)
    const { devices } = (await add(ada, { ...phone, language: 'de' })).json
    expect(devices).toMatchObject([{ endpoint: phone.endpoint, user_agent: 'Firefox' }])
    const bob = await signedIn(world, 'bob@example.org')
    expect((await bob.call('GET', '/app/notifications')).json.devices).toEqual([])
    expect((await bob.call('DELETE', `/app/notifications/devices/${devices[0].id}`)).status).toBe(404)
    expect((await ada.call('DELETE', `/app/notifications/devices/${devices[0].id}`)).json.devices).toEqual([])
  })

  test('a browser that another account has taken over is no longer the first one’s device', async () => {
    const phone = push.subscribe('shared')
    await add(ada, phone)
    const bob = await signedIn(world, 'bob@example.org')
    await add(bob, phone)
    expect((await ada.call('GET', '/app/notifications')).json.devices).toEqual([])
    expect((await bob.call('GET', '/app/notifications')).json.devices).toHaveLength(1)
  })

  test('an address that is no push service’s is refused, and so are keys of another form', async () => {
    const phone = push.subscribe()
    for (const endpoint of [
      'https://127.0.0.1/x',
      'http://push.example/x',
      'https://192.168.1.1/admin',
      'file:///etc/passwd',
    ])
      expect((await add(ada, { ...phone, endpoint })).status).toBe(400)
    expect((await add(ada, { ...phone, p256dh: 'short' })).status).toBe(400)
    expect((await add(ada, { ...phone, auth: 'short' })).status).toBe(400)
  })

  test('signing out takes the device along', async () => {
    await add(ada, push.subscribe())
    await ada.call('DELETE', '/app/session')
    expect(await world.store.db.selectFrom('pushDevices').select('id').execute()).toEqual([])
  })

  test('all processes of one database have one key', async () => {
    await world.store.db.deleteFrom('meta').where('name', '=', 'vapid').execute()
    const other = await world.test.openAgain()
    const [one, two] = await Promise.all([vapidKeysOf(world.store), vapidKeysOf(other)])
    expect(one).toEqual(two)
    expect(await vapidKeysOf(other)).toEqual(one)
    await other.close()
  })
})

describe('where push messages may go', () => {
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
  ])('%s is a push service', (endpoint) => expect(isPushAddress(endpoint)).toBe(true))

  test.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/x',
    'https://user:password@push.example/x',
    'https://localhost/x',
    'https://printer/x',
    'https://printer.local/x',
    'https://router.home.arpa/x',
    'https://metadata.google.internal/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://push.example./x',
    'not an address',
  ])('%s is not', (endpoint) => expect(isPushAddress(endpoint)).toBe(false))

  test.each(['8.8.8.8', '142.250.74.42', '2a00:1450:400f:80c::200a', '2606:4700::1111'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  test.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.0.1', '192.168.0.1', '198.18.0.1'],
    ...['224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '64:ff9b::7f00:1'],
    ...['fe80::1', 'fd00::1', 'ff02::1', '2001:db8::1', '2002:7f00:1::', '2001::1', 'nonsense'],
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))

  test('no private IPv4 address is public in any clothing', () => {
    const inside = fc.tuple(
      fc.constantFrom('10', '127', '192.168', '169.254'),
      fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }),
    )
    fc.assert(
      fc.property(inside, ([net, rest]) => {
        const address = [...net.split('.'), ...rest].slice(0, 4).join('.')
        return !isPublicAddress(address) && !isPublicAddress(`::ffff:${address}`)
      }),
    )
  })

  test('a name that leads back to this machine is not connected to', async () => {
    const failure = await new Promise<Error>((resolve) =>
      request('https://localhost:1/x', { agent: publicNetwork().agent }).on('error', resolve).end(),
    )
    // Name servers know the name on some machines, and never with another address.
    expect(failure.message).toMatch(/not public|ENOTFOUND localhost/)
  })
})
