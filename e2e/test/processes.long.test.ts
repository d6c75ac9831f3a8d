import { hypocaust, type Running } from '@hypocaust/testing/command.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installationOf } from '../../service/src/doors/installation.ts'
import { topicsOf } from '../../service/src/doors/mqtt/ha-discovery-messages.ts'
import { Fleet } from './fleet.ts'

const LONG = 300_000
const MESSAGES = 240
const ON_THEIR_WAY = 30
const WRITES_A_MINUTE = 120
const HOME_ASSISTANT = { HYPOCAUST_HA_DISCOVERY: '1' }

const without = withoutMosquitto() || !ENGINES.includes('postgres')

describe.skipIf(without)('three processes that ingest and two that answer', { timeout: LONG }, () => {
  let fleet: Fleet
  let ingests: Running[]
  let apis: Running[]
  beforeAll(async () => {
    fleet = await Fleet.build()
    ;[ingests, apis] = await Promise.all([fleet.startAll('ingest', 3, HOME_ASSISTANT), fleet.startAll('api', 2)])
  }, LONG)
  afterAll(() => fleet.remove(), LONG)

  const api = (i: number) => apis[i] as Running
  const bathroomId = () => fleet.holder.roomIds[0] as string
  const topics = async () => topicsOf(await installationOf(fleet.store))

  test('a process that ingests tells how it is, and answers nothing else', async () => {
    const [ingest] = ingests as [Running]
    expect(await (await fetch(`${ingest.url}/health/live`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${ingest.url}/health/ready`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${ingest.url}/metrics`)).text()).toContain('hypocaust_gateway_messages_total')
    for (const path of ['/v1/buildings', '/app/session', '/docs/', '/openapi.json', '/'])
      expect((await fetch(ingest.url + path)).status).toBe(404)
  })

  test('every reading is stored once, every message is committed, and each process takes its share', async () => {
    const gateway = await fleet.gateway()
    await eventually(async () => {
      gateway.say('heartbeat', { boot: gateway.boot })
      return (await Promise.all(ingests.map((each) => fleet.hears(each)))).every((hears) => hears)
    })
    const at = Date.now() - 3_600_000
    const send = (n: number) => gateway.sendReadings([reading('ff:01', 20, at + n)], { n })
    for (let n = 0; n < MESSAGES; n++) send(n)
    // The same once more, as a gateway does that has not heard the commit.
    for (let n = 0; n < MESSAGES; n += 3) send(n)
    await eventually(() => new Set(gateway.heard('commit').map(({ n }) => n)).size === MESSAGES)
    await eventually(() => gateway.heard('commit').length === MESSAGES + MESSAGES / 3)
    const rows = await fleet.store.db
      .selectFrom('readings')
      .select('measuredAt')
      .where('sensorId', 'like', '%/ff:01')
      .execute()
    expect(rows).toHaveLength(MESSAGES)
    const stored = await Promise.all(
      ingests.map((each) => fleet.count(each, 'hypocaust_gateway_messages_total', 'topic="readings",outcome="stored"')),
    )
    expect(Math.min(...stored)).toBeGreaterThan(0)
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(MESSAGES)
    await gateway.leave()
  })

  test('what is set at a process that answers becomes a command of one that ingests', async () => {
    const gateway = await fleet.gateway()
    await fleet.patchRoom(api(0), bathroomId(), { manual_power: { enabled: true, power: 0.35 } })
    await gateway.hear('power', ({ valves }) => valves[0]?.power === 0.35)
    await gateway.hear('config', ({ fallback }) => fallback.power['1'] === 0.35)
    await gateway.leave()
  })

  test('commands of three processes are numbered once each, and the last one has the last word', async () => {
    const gateway = await fleet.gateway()
    for (let i = 1; i <= 20; i++) {
      const power = i / 100
      await Promise.all([
        fleet.patchRoom(api(0), bathroomId(), { manual_power: { enabled: true, power } }),
        fleet.patchRoom(api(1), fleet.holder.roomIds[1] as string, { manual_power: { enabled: true, power } }),
      ])
      gateway.sendReadings([reading('ff:02', 20, Date.now())])
    }
    const newest = () =>
      gateway
        .heard('power')
        .sort((a, b) => a.seq - b.seq)
        .at(-1)
    const lastWord = async () => {
      const kept = await fleet.store.db
        .selectFrom('gateways')
        .select(['commandSeq', 'configRevision'])
        .where('id', '=', fleet.cellarId)
        .executeTakeFirstOrThrow()
      const isHeard = kept.commandSeq === newest()?.seq && newest()?.valves.every(({ power }) => power === 0.2)
      return isHeard && kept.configRevision === gateway.heard('config').at(-1)?.revision
    }
    await eventually(lastWord)
    const numbers = gateway.heard('power').map(({ seq }) => seq)
    expect(new Set(numbers).size).toBe(numbers.length)
    await gateway.leave()
  })

  test('a key revoked at one is refused by the other, and an open page of the other hears of it', async () => {
    const [one, other] = [await signIn(api(0)), await signIn(api(1))]
    const page = await openPage(api(1), other)
    const made = await fetch(`${api(0).url}/app/keys`, {
      method: 'POST',
      headers: { cookie: one, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'guest', permission: 'read', expires_at: null }),
    })
    const { id, value } = (await made.json()) as { id: string; value: string }
    await page.until('keys')
    expect((await fleet.get(api(1), '/v1/key', value)).status).toBe(200)
    page.forget()
    await fetch(`${api(0).url}/app/keys/${id}`, { method: 'DELETE', headers: { cookie: one } })
    expect((await fleet.get(api(1), '/v1/key', value)).status).toBe(401)
    await page.until('keys')
    page.forget()
    await fleet.patchRoom(api(0), bathroomId(), { name: 'Bath' })
    await page.until('house')
    page.forget()
    const gateway = await fleet.gateway()
    await gateway.deliver([reading(BATHROOM_SENSOR, 21.5, Date.now())])
    await page.until('house')
    page.close()
    await gateway.leave()
  })

  const signIn = async ({ url }: Running) => {
    const answer = await fetch(`${url}/app/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org', password: 'correct horse battery' }),
    })
    expect(answer.status).toBe(200)
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ')
  }

  /** Hears what an open page of the website would. */
  const openPage = async ({ url }: Running, cookie: string) => {
    const closing = new AbortController()
    const { body } = await fetch(`${url}/app/events`, { headers: { cookie }, signal: closing.signal })
    let text = ''
    const read = async () => {
      for await (const part of body ?? []) text += Buffer.from(part).toString()
    }
    void read().catch(() => {})
    await eventually(() => text.includes('event: clock'))
    return {
      until: (what: string) => eventually(() => text.includes(`event: ${what}`)),
      forget: () => {
        text = ''
      },
      close: () => closing.abort(),
    }
  }

  test('one budget for all: what is spent at one is spent at the other', async () => {
    const left = async (i: number) => {
      const { headers } = await fleet.get(api(i), '/v1/buildings')
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    // Again where a window ends in between.
    await eventually(async () => {
      const [first, second, third] = [await left(0), await left(1), await left(0)]
      return second === first - 1 && third === first - 2
    })
    // Within its one burst, a key that may not write is refused for that; beyond it, for the burst.
    const write = async ({ url }: Running) => {
      const headers = { 'x-api-key': fleet.holder.readKey }
      return (await fetch(`${url}/v1/buildings/x/rooms/y`, { method: 'PATCH', headers })).status
    }
    const statuses = await Promise.all(Array.from({ length: WRITES_A_MINUTE + 6 }, (_, i) => write(api(i % 2))))
    expect(statuses.filter((status) => status === 403)).toHaveLength(WRITES_A_MINUTE)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  })

  test('a change is published to Home Assistant once, by one of them', async () => {
    const { state, service } = await topics()
    const party = await Party.join(fleet.mosquitto.url, {}, [state(bathroomId()), service])
    const setTo = async (target_temperature: number) => {
      await fleet.patchRoom(api(0), bathroomId(), { target_temperature })
      await party.on(state(bathroomId()), (text) => text.includes(`${target_temperature}`))
    }
    for (const target of [17.5, 18.5, 19.5]) await setTo(target)
    const published = party.heard.filter(({ topic, retained }) => !retained && topic === state(bathroomId()))
    const texts = published.map(({ text }) => text)
    expect(texts).toEqual([...new Set(texts)])
    await party.leave()
  })

  /** Also when the process that published it has just ended. */
  const homeAssistantSeesUs = async () => {
    const party = await Party.join(fleet.mosquitto.url, {}, [(await topics()).service])
    await eventually(() => party.heard.at(-1)?.text === 'online')
    await party.leave()
  }

  test('processes that are restarted one after the other lose no word that is said once', async () => {
    const gateway = await fleet.gateway()
    const firstMs = Date.now() - 86_400_000
    const window = { channel: 1, seq: 1, window_s: 900, open_s: 300, source: 'command' }
    let said = 0
    let isOver = false
    /** Always some on their way, never so many that the broker would drop them for a slow reader. */
    const talk = async () => {
      while (!isOver) {
        for (let i = 0; i < ON_THEIR_WAY; i++)
          gateway.say('window', { ...window, start: new Date(firstMs + said++ * 1000).toISOString() })
        await eventually(async () => (await windows()) > said - ON_THEIR_WAY)
      }
    }
    const talking = talk()
    for (const [i, old] of ingests.entries()) {
      const next = await fleet.start('ingest', HOME_ASSISTANT)
      ingests[i] = next
      await eventually(() => fleet.hears(next))
      expect(await fleet.end(old, 'SIGTERM')).toBe(0)
    }
    isOver = true
    await talking
    await eventually(async () => (await windows()) === said)
    await homeAssistantSeesUs()
    await gateway.leave()
  })

  const windows = async () => {
    const { count } = await fleet.store.db
      .selectFrom('valveWindows')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }

  test('what one was to send when it was killed, another sends', async () => {
    const gateway = await fleet.gateway()
    await fleet.end(ingests[0] as Running, 'SIGKILL')
    await fleet.patchRoom(api(1), bathroomId(), { manual_power: { enabled: true, power: 0.77 } })
    await gateway.hear('power', ({ valves }) => valves[0]?.power === 0.77)
    await homeAssistantSeesUs()
    ingests[0] = await fleet.start('ingest', HOME_ASSISTANT)
    await gateway.leave()
  })
})

test('a role without what it needs is refused in one line', async () => {
  const folder = temporaryFolder()
  const { code, stderr } = await hypocaust(folder.path, ['serve', '--role', 'ingest', '--port', '0'])
  folder.remove()
  expect(code).toBe(1)
  expect(stderr).toMatch(/--role ingest .*set HYPOCAUST_DATABASE_URL=\S+ and HYPOCAUST_MQTT_URL=\S+, or/)
  expect(stderr.trim()).not.toContain('\n')
})
