import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@hypocaust/service'
import { start } from '@hypocaust/testing/command.ts'
import { ENGINES, type Engine, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { Killable } from '@hypocaust/testing/killable.ts'
import { LIVES } from '@hypocaust/testing/lives.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { sessionCookie } from '@hypocaust/testing/session.ts'
import { isSignedBy, WebhookReceiver } from '@hypocaust/testing/webhook-receiver.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const CHANGES = 200
const AUTH_SECRET = 'a secret of more than thirty-two characters'
const SECOND_HOUSE = { ...HOUSE, name: 'Lakeside 14' }
const FIRST_TARGET_C = 7
const targetOf = (change: number): number => FIRST_TARGET_C + change / 10

describe.each(ENGINES)('a receiver of webhooks while the service is killed again and again, on %s', (engine) => {
  let folder: string
  let store: TestStore
  let holder: Holder
  let neighbour: Holder
  /** On PostgreSQL two processes, of which one delivers. */
  let services: Killable[]
  let receiver: WebhookReceiver
  let secret: string

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hypocaust-webhooks-'))
    store = await openTestStore(engine)
    holder = await settleHolder(store.store, systemClock, 'ada@example.org', HOUSE)
    neighbour = await settleHolder(store.store, systemClock, 'bob@example.org', SECOND_HOUSE)
    await store.store.db
      .insertInto('members')
      .values({
        buildingId: neighbour.buildingId,
        accountId: holder.accountId,
        role: 'installer',
        rooms: null,
        endsAt: null,
        createdAt: systemClock.now(),
      })
      .execute()
    receiver = new WebhookReceiver()
    await receiver.start()
    services = engine === 'postgres' ? [await service(engine), await service(engine)] : [await service(engine)]
    secret = await addWebhook()
  })

  afterEach(async () => {
    await Promise.all(services.map((each) => each.kill()))
    await receiver.stop()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function service(of: Engine): Promise<Killable> {
    const [port, mqttPort] = [await freePort(), await freePort()]
    const own = of === 'postgres' ? ['--role', 'api'] : ['--mqtt-port', String(mqttPort)]
    const flags = ['--data', of === 'postgres' ? 'data' : store.folder, '--port', String(port), '--log-level', 'error']
    const env = {
      ...(of === 'postgres' && { HYPOCAUST_DATABASE_URL: store.url }),
      HYPOCAUST_AUTH_SECRET: AUTH_SECRET,
      HYPOCAUST_WEBHOOK_PRIVATE_ADDRESSES: 'true',
      HYPOCAUST_RATE_LIMIT_WRITES: '0',
    }
    const made = new Killable(() => start(folder, ['serve', ...own, ...flags], env))
    await made.serve()
    return made
  }

  const first = () => services[0] as Killable

  async function addWebhook(): Promise<string> {
    const origin = new URL(first().url).origin
    const { name, value } = await sessionCookie(store.store, AUTH_SECRET, origin, 'ada@example.org')
    const answer = await fetch(`${origin}/app/webhooks`, {
      method: 'POST',
      headers: { cookie: `${name}=${value}`, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, events: ['change'] }),
    })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { secret: string }).secret
  }

  /** Sent again until it was answered: it may have been done when the service died. */
  const change = async ({ buildingId, roomIds, writeKey }: Holder, target: number) =>
    eventually(async () => {
      const answer = await fetch(`${first().url}/v1/buildings/${buildingId}/rooms/${roomIds[0]}`, {
        method: 'PATCH',
        headers: { 'x-api-key': writeKey, 'content-type': 'application/json' },
        body: JSON.stringify({ target_temperature: target }),
      }).catch(() => undefined)
      return answer?.ok
    })

  /** What a receiver has that goes by the ids, as the specification tells it to. */
  const firstOfEach = () =>
    [...new Map(receiver.taken.toReversed().map((each) => [each.id, each])).values()].toReversed()

  const targetsIn = ({ buildingId }: Holder) =>
    firstOfEach().flatMap(({ message }) =>
      message.data.building_id === buildingId && message.data.field === 'target_temperature'
        ? [message.data.after]
        : [],
    )

  const isKilledAt = (i: number) => (i + 1) % Math.floor(CHANGES / (LIVES + 1)) === 0

  test(`gets each of ${CHANGES} changes, in the order of their building, and nothing twice but with the same id`, {
    timeout: 600_000,
  }, async () => {
    // Now and then the receiver is busy.
    const whileUp = () => (receiver.received.length % 50 === 3 ? 503 : 204)
    receiver.answer = whileUp
    for (let i = 0; i < CHANGES; i++) {
      const house = i % 2 === 0 ? holder : neighbour
      if (!isKilledAt(i)) {
        await change(house, targetOf(i))
        continue
      }
      // The receiver has the message, and the service dies before it gets the answer.
      const killed = Promise.withResolvers<void>()
      receiver.answer = () => killed.promise.then(() => 204)
      const before = receiver.received.length
      await change(house, targetOf(i))
      await eventually(() => receiver.received.length > before)
      for (const each of services) {
        await each.kill()
        await each.serve()
      }
      receiver.answer = whileUp
      killed.resolve()
    }
    const all = Array.from({ length: CHANGES }, (_, i) => targetOf(i))
    await eventually(() => targetsIn(holder).length + targetsIn(neighbour).length >= CHANGES)
    expect(targetsIn(holder)).toEqual(all.filter((_, i) => i % 2 === 0))
    expect(targetsIn(neighbour)).toEqual(all.filter((_, i) => i % 2 === 1))
    const bodies = Map.groupBy(receiver.received, ({ id }) => id)
    for (const same of bodies.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1)
    expect(receiver.received.every((each) => isSignedBy(secret, each))).toBe(true)
    expect(receiver.taken.length - bodies.size).toBeGreaterThanOrEqual(LIVES)
  })
})
