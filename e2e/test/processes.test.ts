import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hypocaust, type Running, temporaryFolder } from '../../cli/test/command.ts'
import { withoutMosquitto } from '../../gateway/test/mosquitto.ts'
import { ENGINES } from '../../service/test/harness.ts'
import { eventually, reading } from '../../service/test/mqtt-harness.ts'
import { Fleet } from './fleet.ts'

const LONG = 180_000
const MESSAGES = 240

const without = withoutMosquitto() || !ENGINES.includes('postgres')

describe.skipIf(without)('three processes that ingest and two that answer', { timeout: LONG }, () => {
  let fleet: Fleet
  let ingests: Running[]
  let apis: Running[]
  beforeAll(async () => {
    fleet = await Fleet.build()
    ;[ingests, apis] = await Promise.all([fleet.startAll('ingest', 3), fleet.startAll('api', 2)])
  }, LONG)
  afterAll(() => fleet.remove(), LONG)

  const api = (i: number) => apis[i] as Running
  const bathroomId = () => fleet.holder.roomIds[0] as string

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
      .where('sensorId', '=', 'ff:01')
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
    await eventually(() => newest()?.valves.every(({ power }) => power === 0.2))
    const numbers = gateway.heard('power').map(({ seq }) => seq)
    expect(new Set(numbers).size).toBe(numbers.length)
    const kept = await fleet.store.db
      .selectFrom('gateways')
      .select(['commandSeq', 'command', 'configRevision'])
      .where('id', '=', fleet.cellarId)
      .executeTakeFirstOrThrow()
    expect(kept.commandSeq).toBe(newest()?.seq)
    await eventually(() => gateway.heard('config').at(-1)?.revision === kept.configRevision)
    await gateway.leave()
  })

  test('a key revoked beside them is refused by all at the next request', async () => {
    const { json } = await hypocaustWith([
      'key',
      'create',
      '--name',
      'guest',
      '--permission',
      'read',
      '--account',
      'ada@example.org',
      '--json',
    ])
    for (const each of apis) expect((await fleet.get(each, '/v1/key', json.key)).status).toBe(200)
    await hypocaustWith(['key', 'revoke', json.id])
    for (const each of apis) expect((await fleet.get(each, '/v1/key', json.key)).status).toBe(401)
  })

  const hypocaustWith = async (args: string[]) => {
    const folder = temporaryFolder()
    const outcome = await hypocaust(folder.path, args, '', fleet.env)
    folder.remove()
    if (outcome.code !== 0) throw new Error(outcome.stderr)
    return outcome
  }

  test('what one was to send when it was killed, another sends', async () => {
    const gateway = await fleet.gateway()
    await fleet.end(ingests[0] as Running, 'SIGKILL')
    await fleet.patchRoom(api(1), bathroomId(), { manual_power: { enabled: true, power: 0.77 } })
    await gateway.hear('power', ({ valves }) => valves[0]?.power === 0.77)
    ingests[0] = await fleet.start('ingest')
    await gateway.leave()
  })
})

test.each([
  ['ingest', {}, /--role ingest .*HYPOCAUST_DATABASE_URL=.* and HYPOCAUST_MQTT_URL=/],
  ['ingest', { HYPOCAUST_DATABASE_URL: 'postgres://127.0.0.1/none' }, /--role ingest .*set HYPOCAUST_MQTT_URL=/],
  ['api', {}, /--role api .*set HYPOCAUST_DATABASE_URL=/],
])('--role %s with %j says in one line what to set', async (role, env, message) => {
  const folder = temporaryFolder()
  const { code, stderr } = await hypocaust(folder.path, ['serve', '--role', role, '--port', '0'], '', env)
  folder.remove()
  expect(code).toBe(1)
  expect(stderr).toMatch(message)
  expect(stderr.trim()).not.toContain('\n')
})
