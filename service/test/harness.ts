import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { HouseFile, Permission } from '@hypocaust/domain'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { inject } from 'vitest'
import type { Clock } from '../src/base/clock.ts'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import { createAccount } from '../src/people/accounts/accounts.ts'
import { createKey } from '../src/people/keys/keys.ts'
import { noNews } from '../src/processes/news.ts'
import { type AppParts, buildApp } from '../src/roles/api.ts'
import { openStore } from '../src/store/open.ts'
import type { PoolLimits } from '../src/store/postgres/pool.ts'
import type { Store } from '../src/store/store.ts'
import { PREPARED_DATABASE } from './global-setup.ts'

/** Every test of the store and of what stands on it runs once for each. */
export type Engine = Store['engine']
export const ENGINES: Engine[] = inject('postgresUrl') === '' ? ['sqlite'] : ['sqlite', 'postgres']

export const MINUTE_MS = 60_000

const START_MS = Date.parse('2026-01-10T08:15:03.000Z')

export class TestClock implements Clock {
  #nowMs = START_MS
  #elapsedMs = 0

  now(): number {
    return this.#nowMs
  }

  elapsedMs(): number {
    return this.#elapsedMs
  }

  advance(ms: number): void {
    this.#nowMs += ms
    this.#elapsedMs += ms
  }

  /** The time of day is set; no time passes. */
  step(ms: number): void {
    this.#nowMs += ms
  }

  startOver(): void {
    this.#nowMs = START_MS
  }
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'hypocaust-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export interface TestStore {
  store: Store
  folder: string
  /** Opens the same database once more, as another process would. */
  openAgain(limits?: Partial<PoolLimits>): Promise<Store>
  /** Of a PostgreSQL; an empty text for SQLite. */
  url: string
  /** A bare connection to it. */
  connect(): Promise<{ execute(sql: string): Promise<void>; end(): Promise<void> }>
  close(): Promise<void>
}

export async function openTestStore(engine: Engine): Promise<TestStore> {
  const folder = temporaryFolder()
  const database = engine === 'postgres' ? await createDatabase(PREPARED_DATABASE) : undefined
  const openAgain = (limits: Partial<PoolLimits> = {}) => openStore(folder.path, database?.url, limits)
  const store = await openAgain()
  return {
    store,
    folder: folder.path,
    openAgain,
    url: database?.url ?? '',
    connect: () => (database ? connectPostgres(database.url) : connectSqlite(join(folder.path, 'hypocaust.db'))),
    async close() {
      await store.close()
      await database?.drop()
      folder.remove()
    },
  }
}

async function connectSqlite(file: string) {
  const db = new DatabaseSync(file, { timeout: 5000 })
  return { execute: async (sql: string) => db.exec(sql), end: async () => db.close() }
}

async function connectPostgres(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async execute(sql: string) {
      await client.query(sql)
    },
    end: () => client.end(),
  }
}

/** Empty, unless a template is named. */
export async function createDatabase(template = 'template0'): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = await connectPostgres(`${server}/postgres`)
    await client.execute(statement)
    await client.end()
  }
  await run(`create database ${name} template ${template}`)
  return { url: `${server}/${name}`, drop: () => run(`drop database ${name} with (force)`) }
}

export const BATHROOM_SENSOR = 'a4:c1:38:5e:01:02'
export const LIVING_ROOM_SENSOR = 'a4:c1:38:5e:01:03'
export const STRANGERS_SENSOR = 'ee:c1:38:5e:01:02'

export const HOUSE: HouseFile = {
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }, { name: 'attic' }],
  rooms: [
    { name: 'Bathroom', floor_type: 'screed', sensor: BATHROOM_SENSOR, valves: [{ gateway: 'cellar', channel: 1 }] },
    {
      name: 'Living room',
      floor_type: 'timber',
      sensor: LIVING_ROOM_SENSOR,
      valves: [{ gateway: 'cellar', channel: 2 }],
    },
  ],
}

const STRANGERS_HOUSE: HouseFile = {
  ...HOUSE,
  name: 'Hillside 3',
  gateways: [],
  rooms: [{ name: 'Hall', floor_type: 'dry', sensor: STRANGERS_SENSOR, valves: [] }],
}

interface Furnished {
  buildingId: string
  roomIds: string[]
  gatewayIds: string[]
}

/** Somebody's account, with everything it owns. */
export interface Holder extends Furnished {
  accountId: string
  readKey: string
  writeKey: string
}

async function furnish(store: Store, clock: Clock, accountId: string, house: HouseFile): Promise<Furnished> {
  const applied = await applyHouse(store, clock, house, { accountId, overwriteSettings: false, prune: false })
  return {
    buildingId: applied.building.id,
    roomIds: applied.rooms.map(({ id }) => id),
    gatewayIds: applied.gateways.map(({ id }) => id),
  }
}

export async function settleHolder(store: Store, clock: Clock, email: string, house: HouseFile): Promise<Holder> {
  const created = await createAccount(store, email, 'correct horse battery')
  if (created.kind !== 'created') throw new Error(`no account: ${created.kind}`)
  const accountId = created.account.id
  const furnished = await furnish(store, clock, accountId, house)
  const keyFor = async (permission: Permission) =>
    (await createKey(store, clock, { accountId, name: `${permission} key`, permission, expiresAt: null })).value
  return {
    accountId,
    ...furnished,
    readKey: await keyFor('read'),
    writeKey: await keyFor('write'),
  }
}

type Method = NonNullable<InjectOptions['method']>

export interface Call {
  key?: string
  /** An object is sent as JSON; a text as it is. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  json: any
}

export interface Reading {
  temperatureC: number
  humidityPct?: number | null
  batteryPct?: number | null
  rssiDbm?: number | null
  measuredAt?: number
}

/** The real application on a real store: an account with a furnished building, and a stranger with another. */
export class World {
  readonly test: TestStore
  readonly clock: TestClock
  readonly app: FastifyInstance
  readonly holder: Holder
  readonly stranger: Holder

  constructor(test: TestStore, clock: TestClock, app: FastifyInstance, holder: Holder, stranger: Holder) {
    this.test = test
    this.clock = clock
    this.app = app
    this.holder = holder
    this.stranger = stranger
  }

  get store(): Store {
    return this.test.store
  }

  get buildingPath(): string {
    return `/v1/buildings/${this.holder.buildingId}`
  }

  get roomsPath(): string {
    return `${this.buildingPath}/rooms`
  }

  get bathroomId(): string {
    return this.holder.roomIds[0] as string
  }

  get bathroomPath(): string {
    return `${this.roomsPath}/${this.bathroomId}`
  }

  async call(method: Method, path: string, { key, body, headers }: Call = {}): Promise<Answer> {
    const answer = await this.app.inject({
      method,
      url: path,
      headers: {
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text: answer.body,
      json: answer.body !== '' && /json/.test(String(answer.headers['content-type'])) ? answer.json() : undefined,
    }
  }

  get(path: string, call: Call = {}): Promise<Answer> {
    return this.call('GET', path, { key: this.holder.readKey, ...call })
  }

  patch(body: unknown, call: Call = {}): Promise<Answer> {
    return this.call('PATCH', this.bathroomPath, { key: this.holder.writeKey, body, ...call })
  }

  async bathroom() {
    return (await this.get(this.bathroomPath)).json
  }

  async report(sensorId: string, reading: Reading): Promise<void> {
    const silent = { humidityPct: null, batteryPct: null, rssiDbm: null, measuredAt: this.clock.now() }
    await this.store.db
      .updateTable('sensors')
      .set({ ...silent, ...reading })
      .where('id', '=', sensorId)
      .execute()
  }

  async heartbeat(gatewayId: string | undefined): Promise<void> {
    await this.store.db
      .updateTable('gateways')
      .set({ lastSeenAt: this.clock.now() })
      .where('id', '=', gatewayId ?? '')
      .execute()
  }

  /** The bathroom as the house file made it, and no sensor has reported. */
  async reset(): Promise<void> {
    const { db } = this.store
    await this.store.batch([
      db
        .updateTable('rooms')
        .set({
          name: 'Bathroom',
          targetC: 20,
          presetMode: 'none',
          manualEnabled: 0,
          manualPower: 0,
          controlPower: 0,
          sensorId: BATHROOM_SENSOR,
        })
        .where('id', '=', this.bathroomId),
      db.updateTable('sensors').set({ temperatureC: null, humidityPct: null, measuredAt: null }),
      db.updateTable('gateways').set({ lastSeenAt: null }),
    ])
  }

  /** With the holder's building made anew: as good as another world, and sooner there. */
  async refurnished(): Promise<World> {
    await removeBuilding(this.store, this.holder.buildingId)
    const furnished = await furnish(this.store, this.clock, this.holder.accountId, HOUSE)
    return new World(this.test, this.clock, this.app, { ...this.holder, ...furnished }, this.stranger)
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.test.close()
  }
}

export async function openWorld(engine: Engine, overrides: Partial<AppParts> = {}): Promise<World> {
  const test = await openTestStore(engine)
  const clock = new TestClock()
  const holder = await settleHolder(test.store, clock, 'ada@example.org', HOUSE)
  const stranger = await settleHolder(test.store, clock, 'bob@example.org', STRANGERS_HOUSE)
  const app = await appOn(test.store, clock, overrides)
  return new World(test, clock, app, holder, stranger)
}

/** The application on a store that is there already. */
export const appOn = (store: Store, clock: Clock, overrides: Partial<AppParts> = {}): Promise<FastifyInstance> =>
  buildApp({
    store,
    clock,
    limits: { read: 0, write: 0 },
    availability: { silentAfterS: 300 },
    onBuildingChanged: () => {},
    news: noNews,
    mqttAddress: () => ({ port: 1883, tls: false }),
    metrics: createMetrics(),
    logger: createLogger('silent'),
    version: '0.0.0',
    ...overrides,
  })
