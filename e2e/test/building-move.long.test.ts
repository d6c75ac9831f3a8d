import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { DOWN, downTopic, type PowerCommand, parsePayload, upTopic } from '@hypocaust/domain'
import { rotateToken, systemClock } from '@hypocaust/service'
import { ENV, hypocaust, MAIN, type Running, start } from '@hypocaust/testing/command.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { LIVES } from '@hypocaust/testing/lives.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { connect, type MqttClient } from 'mqtt'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const LONG = 600_000
const SETTINGS = {
  HYPOCAUST_AUTH_SECRET: 'the-same-secret-for-both-of-the-two-cells',
  HYPOCAUST_RATE_LIMIT_READS: '0',
  HYPOCAUST_RATE_LIMIT_WRITES: '0',
}
const RAW_DAYS = 14
const BOOT = 'boot-1'

/** A service with a database and a broker of its own. */
class Cell {
  readonly test: TestStore
  readonly running: Running
  readonly broker: string

  private constructor(test: TestStore, running: Running, broker: string) {
    this.test = test
    this.running = running
    this.broker = broker
  }

  static async start(): Promise<Cell> {
    const test = await openTestStore('postgres')
    const port = await freePort()
    const flags = ['--data', `${test.folder}/data`, '--port', '0', '--mqtt-port', String(port), '--log-level', 'error']
    const running = await start(test.folder, ['serve', ...flags], { ...SETTINGS, HYPOCAUST_DATABASE_URL: test.url })
    return new Cell(test, running, `mqtt://127.0.0.1:${port}`)
  }

  async end(): Promise<void> {
    await this.running.end('SIGTERM')
    await this.test.close()
  }
}

/** Keeps every message until it is committed, and connects to the broker that it is told. */
class MovingGateway {
  readonly #id: string
  readonly #password: string
  readonly #waiting = new Map<number, string>()
  #client: MqttClient
  #n = 0
  readonly commands: PowerCommand[] = []
  readonly brokers: string[] = []

  constructor(id: string, password: string, url: string) {
    this.#id = id
    this.#password = password
    this.#client = this.#connect(url)
  }

  get sent(): number {
    return this.#n
  }

  get uncommitted(): number {
    return this.#waiting.size
  }

  /** One reading of a time of its own: a lost one leaves a gap. */
  measure(): void {
    const n = ++this.#n
    // Of a minute ago: one ahead of the clock of a busy cell would be stamped with its arrival, maybe as another one was.
    const timestamp = new Date(Date.now() - 60_000).toISOString()
    const readings = [{ id: 'ff:01', temperature: 20, timestamp }]
    this.#waiting.set(n, JSON.stringify({ boot: BOOT, n, readings }))
    this.#say(n)
  }

  sayAgain(): void {
    for (const n of this.#waiting.keys()) this.#say(n)
  }

  end(): Promise<void> {
    return this.#client.endAsync(true)
  }

  #connect(url: string): MqttClient {
    this.brokers.push(url)
    const client = connect(url, {
      ...{ protocolVersion: 4, clientId: this.#id, username: this.#id, password: this.#password },
      reconnectPeriod: 200,
      queueQoSZero: false,
    })
    client.on('error', () => {})
    client.on('connect', () => {
      client.subscribe(downTopic(this.#id, 'commit').replace('commit', '#'), { qos: 1 })
      client.publish(
        upTopic(this.#id, 'status'),
        JSON.stringify({ state: 'online', boot: BOOT, channels: 2, moves: true }),
        { qos: 1 },
      )
      client.publish(upTopic(this.#id, 'heartbeat'), JSON.stringify({ boot: BOOT }), { qos: 0 })
    })
    client.on('message', (topic, payload) => {
      if (client === this.#client) this.#hear(topic, payload)
    })
    return client
  }

  #hear(topic: string, payload: Buffer): void {
    if (topic === downTopic(this.#id, 'commit')) {
      const commit = parsePayload(DOWN.commit, payload)
      if (commit.ok) this.#waiting.delete(commit.value.n)
    }
    if (topic === downTopic(this.#id, 'power')) {
      const command = parsePayload(DOWN.power, payload)
      if (command.ok) this.commands.push(command.value)
    }
    if (topic === downTopic(this.#id, 'move')) {
      const move = parsePayload(DOWN.move, payload)
      if (!move.ok || move.value.url === this.brokers.at(-1)) return
      this.#client.end(true)
      this.#client = this.#connect(move.value.url)
    }
  }

  #say(n: number): void {
    const text = this.#waiting.get(n)
    if (text !== undefined && this.#client.connected)
      this.#client.publish(upTopic(this.#id, 'readings'), text, { qos: 0 })
  }
}

describe.skipIf(!ENGINES.includes('postgres'))(
  'a building that moves between two services at work',
  { timeout: LONG },
  () => {
    let one: Cell
    let two: Cell
    let holder: Holder
    let gateway: MovingGateway
    beforeAll(async () => {
      ;[one, two] = await Promise.all([Cell.start(), Cell.start()])
      holder = await settleHolder(one.test.store, systemClock, 'ada@example.org', HOUSE)
      const [id = ''] = holder.gatewayIds
      gateway = new MovingGateway(id, (await rotateToken(one.test.store, systemClock, id)) ?? '', one.broker)
      await fillHistory(one.test.url, holder.buildingId)
      await eventually(async () => {
        const row = await one.test.store.db
          .selectFrom('gateways')
          .select('followsMoves')
          .where('id', '=', id)
          .executeTakeFirst()
        return row?.followsMoves === 1
      })
    }, LONG)
    afterAll(async () => {
      await gateway.end()
      await Promise.all([one.end(), two.end()])
    }, LONG)

    const moveArgs = (to: Cell) => [
      'building',
      'move',
      holder.buildingId,
      '--to',
      to.test.url,
      '--url',
      to.running.url,
      '--broker',
      to.broker,
      '--json',
    ]
    const envOf = (from: Cell) => ({ HYPOCAUST_DATABASE_URL: from.test.url })
    const roomPath = () => `/v1/buildings/${holder.buildingId}/rooms/${holder.roomIds[0]}`
    /** Always at the first address, as a client that was set up once; followed wherever it leads. */
    const ask = (path: string, key: string, init: RequestInit = {}) =>
      fetch(one.running.url + path, {
        ...init,
        headers: { 'x-api-key': key, ...(init.body ? { 'content-type': 'application/json' } : {}) },
      })
    const isWhole = async ({ test: { store } }: Cell) => {
      const member = await store.db
        .selectFrom('members')
        .select('buildingId')
        .where('buildingId', '=', holder.buildingId)
        .executeTakeFirst()
      const moves = await store.db
        .selectFrom('buildingMoves')
        .select('stage')
        .where('buildingId', '=', holder.buildingId)
        .executeTakeFirst()
      return member !== undefined && moves === undefined
    }

    test('loses and doubles nothing, and is read all the time', async () => {
      const load = new Load(ask, roomPath(), holder, gateway)
      load.start()
      await load.until(20)
      const { json } = await moved()
      const atArrival = load.acknowledged.length
      await load.until(atArrival + 20)
      await eventually(() => gateway.brokers.length === 2)
      await load.stop()
      console.info(
        `moved in use: writes refused for ${json.pause_ms} ms, as a client saw it ${Math.round(load.longestGapMs)} ms; ${load.acknowledged.length} changes, ${gateway.sent} readings, ${load.reads} reads, ${load.refused} changes tried again`,
      )
      expect(load.failedReads).toEqual([])
      expect(await isWhole(two)).toBe(true)
      expect(await isWhole(one)).toBe(false)
      await expectChanges(load.acknowledged)
      await expectReadings()
      const numbers = gateway.commands.map(({ epoch, seq }) => epoch * 1e9 + seq)
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    })

    /** A machine with much else to do may need more than one attempt to be fast enough. */
    async function moved() {
      for (;;) {
        const outcome = await hypocaust(one.test.folder, moveArgs(two), '', envOf(one))
        if (outcome.code === 0) return outcome
        expect(outcome.stderr).toContain('try again later')
      }
    }

    test('a stranger learns nothing of it, and its owner is led on from the list too', async () => {
      const stranger = await settleHolder(one.test.store, systemClock, 'eve@example.org', { ...HOUSE, name: 'Other' })
      expect((await ask(roomPath(), stranger.readKey)).status).toBe(404)
      const list = await ask('/v1/buildings', holder.readKey)
      expect([list.status, new URL(list.url).origin]).toEqual([200, two.running.url])
      expect(await list.json()).toMatchObject([{ id: holder.buildingId }])
      const { status, headers } = await fetch(one.running.url + roomPath(), {
        headers: { 'x-api-key': holder.readKey },
        redirect: 'manual',
      })
      expect([status, headers.get('location')]).toEqual([307, two.running.url + roomPath()])
    })

    test('killed at any moment, it is finished by the same command, and never two have it', async () => {
      let [from, to] = [two, one]
      for (let life = 0; life < LIVES; life++) {
        await killed(from, to, 400 + (life * 700) / LIVES)
        expect([await isWhole(from), await isWhole(to)]).not.toEqual([true, true])
        await eventually(async () => {
          const { code, stderr } = await hypocaust(from.test.folder, moveArgs(to), '', envOf(from))
          return code === 0 || stderr.includes('there is no building')
        })
        expect([await isWhole(from), await isWhole(to)]).toEqual([false, true])
        ;[from, to] = [to, from]
      }
      await expectReadings(from)
    })

    async function killed(from: Cell, to: Cell, afterMs: number): Promise<void> {
      const child = spawn(process.execPath, [MAIN, ...moveArgs(to)], {
        env: { ...ENV, ...envOf(from) },
        stdio: 'ignore',
      })
      const ended = once(child, 'close')
      await Promise.race([pause(afterMs), ended])
      child.kill('SIGKILL')
      await ended
    }

    /** Each acknowledged name stands in the change log once. */
    async function expectChanges(acknowledged: string[]): Promise<void> {
      const rows = await two.test.store.db
        .selectFrom('changeLog')
        .select('newValue')
        .where('field', '=', 'name')
        .where('buildingId', '=', holder.buildingId)
        .execute()
      const names = rows
        .map(({ newValue }) => JSON.parse(newValue ?? '[]')[0] as string)
        .filter((name) => name?.startsWith('Room '))
      expect(new Set(names).size).toBe(names.length)
      expect(acknowledged.filter((name) => !names.includes(name))).toEqual([])
      const room = (await (await ask(roomPath(), holder.readKey)).json()) as { name: string }
      expect(room.name).toBe(acknowledged.at(-1))
    }

    async function expectReadings(cell = two): Promise<void> {
      await eventually(() => {
        gateway.sayAgain()
        return gateway.uncommitted === 0
      })
      const rows = await cell.test.store.db
        .selectFrom('gatewayMessages')
        .select('n')
        .where('boot', '=', BOOT)
        .orderBy('n')
        .execute()
      expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: gateway.sent }, (_, i) => i + 1))
      const readings = await cell.test.store.db
        .selectFrom('readings')
        .innerJoin('sensors', 'sensors.id', 'readings.sensorId')
        .select('readings.measuredAt')
        .where('sensors.address', '=', 'ff:01')
        .execute()
      expect(readings).toHaveLength(gateway.sent)
    }
  },
)

type Ask = (path: string, key: string, init?: RequestInit) => Promise<Response>

/** A client that changes and reads, and a gateway that measures, until they are stopped. */
class Load {
  readonly acknowledged: string[] = []
  readonly failedReads: string[] = []
  reads = 0
  refused = 0
  longestGapMs = 0
  readonly #ask: Ask
  readonly #path: string
  readonly #holder: Holder
  readonly #gateway: MovingGateway
  readonly #stopping = new AbortController()
  #work: Promise<void>[] = []

  constructor(ask: Ask, path: string, holder: Holder, gateway: MovingGateway) {
    this.#ask = ask
    this.#path = path
    this.#holder = holder
    this.#gateway = gateway
  }

  /** Until so many were acknowledged, or something has failed. */
  async until(count: number): Promise<void> {
    const done = eventually(() => this.acknowledged.length >= count)
    await Promise.race([done, Promise.all(this.#work)])
  }

  start(): void {
    this.#work = [this.#change(), this.#read(), this.#measure()]
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#work)
  }

  async #change(): Promise<void> {
    let lastMs = performance.now()
    for (let i = 0; !this.#stopping.signal.aborted; ) {
      const name = `Room ${i}`
      const answer = await this.#ask(this.#path, this.#holder.writeKey, {
        method: 'PATCH',
        body: JSON.stringify({ name }),
      })
      await answer.arrayBuffer()
      if (!answer.ok) {
        if (answer.status !== 503) throw new Error(`PATCH ${answer.url}: ${answer.status}`)
        this.refused++
        await pause(50)
        continue
      }
      this.acknowledged.push(name)
      this.longestGapMs = Math.max(this.longestGapMs, performance.now() - lastMs)
      lastMs = performance.now()
      i++
      await pause(20)
    }
  }

  async #read(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const answer = await this.#ask(this.#path, this.#holder.readKey)
      const text = await answer.text()
      // A service on a busy machine refuses reads whether or not a building moves.
      const isOverload = answer.status === 503 && text.includes('overloaded')
      if (answer.status === 200) this.reads++
      else if (!isOverload) this.failedReads.push(`${answer.url}: ${answer.status} ${text}`)
      await pause(20)
    }
  }

  async #measure(): Promise<void> {
    for (let turn = 0; !this.#stopping.signal.aborted; turn++) {
      this.#gateway.measure()
      if (turn % 20 === 0) this.#gateway.sayAgain()
      await pause(50)
    }
  }
}

/** Two sensors, a reading a minute for two weeks and means of five minutes for three months. */
async function fillHistory(url: string, buildingId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const nowMs = Date.now()
  await client.query(
    `insert into readings (building_id, sensor_id, measured_at, temperature_c, humidity_pct)
      select building_id, id, $2::bigint - i * 60000, 20 + (i % 100) / 70.0, 45 from sensors, generate_series(1, $3::int) as i
      where building_id = $1`,
    [buildingId, nowMs, RAW_DAYS * 1440],
  )
  await client.query(
    `insert into readings_five_minute (sensor_id, starts_at, count, mean_c, min_c, max_c, humidity_count, humidity_pct)
      select id, ($2::bigint / 300000 - i) * 300000, 5, 20.1, 20, 20.2, 5, 45 from sensors, generate_series(1, 26496) as i
      where building_id = $1`,
    [buildingId, nowMs],
  )
  await client.end()
}
