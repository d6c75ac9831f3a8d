import { join } from 'node:path'
import { TOPIC_ROOT } from '@hypocaust/domain'
import { type Running, start } from '@hypocaust/testing/command.ts'
import { openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { type Mosquitto, startMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { systemClock } from '../../service/src/base/clock.ts'
import type { Store } from '../../service/src/store/store.ts'

type Role = 'api' | 'ingest'

/** Several processes of the service on one PostgreSQL and one Mosquitto, and a house that they share. */
export class Fleet {
  readonly mosquitto: Mosquitto
  readonly holder: Holder
  readonly #test: TestStore
  readonly #running = new Set<Running>()
  readonly #gateways: TestGateway[] = []

  private constructor(test: TestStore, mosquitto: Mosquitto, holder: Holder) {
    this.#test = test
    this.mosquitto = mosquitto
    this.holder = holder
  }

  static async build(): Promise<Fleet> {
    const [test, mosquitto] = await Promise.all([openTestStore('postgres'), startMosquitto()])
    return new Fleet(test, mosquitto, await settleHolder(test.store, systemClock, 'ada@example.org', HOUSE))
  }

  get store(): Store {
    return this.#test.store
  }

  get cellarId(): string {
    return this.holder.gatewayIds[0] as string
  }

  get env(): Record<string, string> {
    return { HYPOCAUST_DATABASE_URL: this.#test.url, HYPOCAUST_MQTT_URL: this.mosquitto.url }
  }

  async start(role: Role, env: Record<string, string> = {}): Promise<Running> {
    const flags = ['--role', role, '--data', join(this.#test.folder, 'data'), '--port', '0', '--log-level', 'error']
    const running = await start(this.#test.folder, ['serve', ...flags], { ...this.env, ...env })
    this.#running.add(running)
    return running
  }

  startAll(role: Role, count: number, env: Record<string, string> = {}): Promise<Running[]> {
    return Promise.all(Array.from({ length: count }, () => this.start(role, env)))
  }

  async end(process: Running, signal: 'SIGTERM' | 'SIGKILL') {
    this.#running.delete(process)
    return process.end(signal)
  }

  async gateway(id = this.cellarId): Promise<TestGateway> {
    const party = await Party.join(this.mosquitto.url, { clientId: id }, [`${TOPIC_ROOT}/${id}/down/#`])
    const gateway = new TestGateway(id, party)
    this.#gateways.push(gateway)
    return gateway
  }

  rooms({ url }: Running, roomId = ''): string {
    return `${url}/v1/buildings/${this.holder.buildingId}/rooms${roomId && `/${roomId}`}`
  }

  get(process: Running, path: string, key = this.holder.readKey): Promise<Response> {
    return fetch(process.url + path, { headers: { 'x-api-key': key } })
  }

  async patchRoom(process: Running, roomId: string, body: object): Promise<void> {
    const headers = { 'x-api-key': this.holder.writeKey, 'content-type': 'application/json' }
    const answer = await fetch(this.rooms(process, roomId), { method: 'PATCH', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`PATCH: ${answer.status} ${await answer.text()}`)
  }

  /** The sum of a process's own counts of that name. */
  async count({ url }: Running, metric: string, labels = ''): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text()
    const lines = text.split('\n').filter((line) => line.startsWith(metric) && line.includes(labels))
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }

  /** It tells its address before the broker has taken its subscription. */
  async hears(process: Running): Promise<boolean> {
    return (await this.count(process, 'hypocaust_gateway_messages_total')) > 0
  }

  async remove(): Promise<void> {
    await Promise.all(this.#gateways.map((gateway) => gateway.leave()))
    await Promise.all([...this.#running].map((process) => process.end('SIGKILL')))
    await this.mosquitto.stop()
    await this.#test.close()
  }
}
