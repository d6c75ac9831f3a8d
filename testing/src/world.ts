import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Clock } from '../../service/src/base/clock.ts'
import { createLogger } from '../../service/src/base/logger.ts'
import { createMetrics } from '../../service/src/base/metrics.ts'
import { removeBuilding } from '../../service/src/house/buildings/manage.ts'
import { raiseLive } from '../../service/src/house/revisions.ts'
import { newSensorId } from '../../service/src/house/sensors.ts'
import { noNews } from '../../service/src/processes/news.ts'
import { type AppParts, buildApp } from '../../service/src/roles/api.ts'
import type { Store } from '../../service/src/store/store.ts'
import { TestClock } from './clock.ts'
import { type Engine, openTestStore, type TestStore } from './database.ts'
import { BATHROOM_SENSOR, furnish, HOUSE, type Holder, STRANGERS_HOUSE, settleHolder } from './houses.ts'

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
      .where('address', '=', sensorId)
      .execute()
    await this.#raiseLive()
  }

  /** As the intake does with every reading. */
  async #raiseLive(): Promise<void> {
    const nowMs = this.clock.now()
    const buildings = [this.holder, this.stranger].map(({ buildingId }) => buildingId)
    await this.store.batch(buildings.map((buildingId) => raiseLive.with(this.store, { buildingId, nowMs })))
  }

  async heartbeat(gatewayId: string | undefined): Promise<void> {
    await this.store.db
      .updateTable('gateways')
      .set({ lastSeenAt: this.clock.now() })
      .where('id', '=', gatewayId ?? '')
      .execute()
  }

  /** All gateways of the holder's building report, so that its rooms can be heated. */
  async gatewaysReport(): Promise<void> {
    for (const id of this.holder.gatewayIds) await this.heartbeat(id)
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
          sensorId: newSensorId(this.holder.buildingId, BATHROOM_SENSOR),
        })
        .where('id', '=', this.bathroomId),
      db.updateTable('sensors').set({ temperatureC: null, humidityPct: null, measuredAt: null }),
      db.updateTable('gateways').set({ lastSeenAt: null }),
    ])
    await this.#raiseLive()
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
    // A test machine may be busy; nothing is refused for that.
    shedding: { isLate: () => false },
    ...overrides,
  })
