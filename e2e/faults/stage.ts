import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@hypocaust/service'
import { FaultyLine } from '@hypocaust/testing/faulty-line.ts'
import { mosquittoProgram } from '@hypocaust/testing/mosquitto.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { programOf } from '@hypocaust/testing/program-of.ts'
import { type SettledHouse, settle } from '../settle.ts'
import { trialHouse } from '../trial-house.ts'
import { AgentUnderFire } from './agent.ts'
import { sensorOf } from './codes.ts'
import { mountDisk, type ProcessClock, processClock, type SmallDisk } from './machine.ts'
import { Owner } from './owner.ts'
import { PostgresUnderFire } from './postgres.ts'
import { Supervised } from './processes.ts'
import { Sender } from './sender.ts'
import { storedNumbers } from './stored.ts'

export type Engine = 'sqlite' | 'postgres'

const WELL_WITHIN_MS = 180_000
const AGENT_HOUSE = 2

/** What the faults are not about: no budget, and every reading is kept to be counted. */
const UNLIMITED = {
  HYPOCAUST_RATE_LIMIT_READS: '0',
  HYPOCAUST_RATE_LIMIT_WRITES: '0',
  HYPOCAUST_HISTORY_RAW_DAYS: '36500',
}

interface Lines {
  http: FaultyLine
  gateways: FaultyLine
  broker: FaultyLine | undefined
  database: FaultyLine | undefined
}

interface Parts {
  engine: Engine
  folder: string
  disks: { service: SmallDisk | undefined; agent: SmallDisk | undefined; postgres: SmallDisk | undefined }
  clocks: { service: ProcessClock | undefined; agent: ProcessClock | undefined }
  lines: Lines
  ports: { http: number; mqtt: number }
  /** One for both roles on SQLite; on PostgreSQL one answers requests, and one hears gateways and heats. */
  services: Supervised[]
  broker: Supervised | undefined
  devicesBroker: Supervised
  postgres: PostgresUnderFire | undefined
  agent: AgentUnderFire
  houses: SettledHouse[]
}

/** The whole system as processes, with owners, gateways and devices that use it while faults strike. */
export class Stage {
  readonly parts: Parts
  readonly owners: Owner[]
  readonly senders: Sender[]
  /** The fault that is striking. */
  cause = 'start'

  private constructor(parts: Parts) {
    this.parts = parts
    const { lines, houses } = parts
    const cause = () => this.cause
    const senders = houses.slice(0, AGENT_HOUSE)
    this.owners = senders.flatMap((house) =>
      house.roomIds.map((roomId) => {
        const url = `http://127.0.0.1:${lines.http.port}/v1/buildings/${house.buildingId}/rooms/${roomId}`
        return new Owner(url, house, cause)
      }),
    )
    this.senders = senders.map(
      ({ gatewayId, token }, house) =>
        new Sender(
          { url: `mqtt://127.0.0.1:${lines.gateways.port}`, house, gatewayId, token, hasClock: house === 1 },
          cause,
        ),
    )
  }

  static async build(engine: Engine): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-faults-'))
    chmodSync(folder, 0o755)
    const data = join(folder, 'service')
    const disks = {
      service: mountDisk(data, 96),
      agent: mountDisk(join(folder, 'agent'), 48),
      postgres: engine === 'postgres' ? mountDisk(join(folder, 'postgres'), 400) : undefined,
    }
    const ports = { http: await freePort(), mqtt: await freePort(), other: await freePort(), devices: await freePort() }
    const postgres =
      engine === 'postgres' ? new PostgresUnderFire(join(folder, 'postgres'), await freePort()) : undefined
    await postgres?.start()
    const store = await openStore(data, postgres?.url())
    const houses: SettledHouse[] = []
    for (let i = 0; i <= AGENT_HOUSE; i++) {
      const house = trialHouse(i, [sensorOf(i, 0), sensorOf(i, 1)])
      houses.push(await settle(store, `owner-${i}@example.org`, house))
    }
    await store.close()

    const lines: Lines = {
      http: new FaultyLine(ports.http),
      gateways: new FaultyLine(ports.mqtt),
      broker: postgres && new FaultyLine(ports.mqtt),
      database: postgres && new FaultyLine(Number(new URL(postgres.url()).port)),
    }
    for (const line of Object.values(lines)) await line?.start()
    const clocks = {
      service: processClock(join(folder, 'service-clock')),
      agent: processClock(join(folder, 'agent-clock')),
    }
    const env = {
      ...UNLIMITED,
      ...clocks.service?.env,
      ...(postgres &&
        lines.database &&
        lines.broker && {
          HYPOCAUST_DATABASE_URL: postgres.url(lines.database.port),
          HYPOCAUST_MQTT_URL: `mqtt://127.0.0.1:${lines.broker.port}`,
          HYPOCAUST_AUTH_SECRET: 'a secret that all processes of this run share',
        }),
    }
    const serve = (role: string, port: number) => {
      const flags = ['--role', role, '--data', data, '--port', String(port), '--mqtt-port', String(ports.mqtt)]
      const args = [programOf('hypocaust'), 'serve', ...flags, '--log-level', 'error']
      return new Supervised({ program: process.execPath, args, cwd: folder, env, port })
    }
    const services = postgres ? [serve('api', ports.http), serve('ingest', ports.other)] : [serve('all', ports.http)]
    const agent = new AgentUnderFire({
      folder: join(folder, 'agent'),
      house: AGENT_HOUSE,
      serviceUrl: `mqtt://127.0.0.1:${lines.gateways.port}`,
      devicesUrl: `mqtt://127.0.0.1:${ports.devices}`,
      gatewayId: houses[AGENT_HOUSE]?.gatewayId ?? '',
      token: houses[AGENT_HOUSE]?.token ?? '',
      env: { ...clocks.agent?.env },
    })
    const broker = postgres && mosquitto(folder, ports.mqtt)
    const devicesBroker = mosquitto(folder, ports.devices)
    return new Stage({
      engine,
      folder,
      disks,
      clocks,
      lines,
      ports,
      services,
      broker,
      devicesBroker,
      postgres,
      agent,
      houses,
    })
  }

  async start(): Promise<void> {
    const { broker, devicesBroker, services, agent } = this.parts
    await broker?.start()
    await devicesBroker.start()
    for (const service of services) await service.start()
    await agent.start()
    for (const each of [...this.owners, ...this.senders]) each.start()
    await this.well()
    await this.agentWell()
    for (const { gaps } of [...this.owners, ...this.senders]) {
      gaps.longestMs = 0
      gaps.restart()
    }
  }

  /** Every owner and every gateway get through again. */
  async well(): Promise<void> {
    const counts = [
      ...this.owners.map((owner) => ({ name: 'an owner', count: () => owner.confirmed, before: owner.confirmed })),
      ...this.senders.map((sender) => ({ name: 'a gateway', count: () => sender.committed, before: sender.committed })),
    ]
    await this.#until(() => {
      const waiting = counts.filter(({ count, before }) => count() < before + 2)
      return waiting.map(({ name }) => name).join(', ')
    })
  }

  /** What devices report from now on is stored. */
  async agentWell(): Promise<void> {
    const { spoken } = this.parts.agent
    const isStored = async () => [...(await this.stored(AGENT_HOUSE)).keys()].some((n) => n >= spoken)
    await this.#until(async () => ((await isStored().catch(() => false)) ? '' : 'the agent'))
  }

  async #until(waiting: () => Promise<string> | string): Promise<void> {
    for (const giveUp = Date.now() + WELL_WITHIN_MS; ; await sleep(100)) {
      const names = await waiting()
      if (names === '') return
      if (Date.now() < giveUp) continue
      throw new Error(`not well ${WELL_WITHIN_MS / 1000} s after ${this.cause}: ${names}\n${this.#lastWords}`)
    }
  }

  /** How often each reading of a house is stored, by its number. */
  stored(house: number): Promise<Map<number, number>> {
    const { postgres, folder, houses } = this.parts
    return storedNumbers(postgres?.url() ?? join(folder, 'service', 'hypocaust.db'), houses[house]?.buildingId ?? '')
  }

  /** Nothing is asked and nothing is sent while the work is done. */
  async undisturbed(work: () => Promise<void>): Promise<void> {
    await Promise.all(this.owners.map((owner) => owner.pause()))
    this.parts.lines.gateways.set('refused')
    try {
      await work()
    } finally {
      this.parts.lines.gateways.set('good')
      for (const owner of this.owners) owner.resume()
      for (const { gaps } of this.senders) gaps.restart()
    }
  }

  /** Every message committed, and the agent's disk empty. */
  async finish(): Promise<void> {
    this.cause = 'the end'
    await Promise.all(this.owners.map((owner) => owner.stop()))
    const { agent } = this.parts
    agent.silence()
    for (const sender of this.senders) sender.finish()
    const isDone = () => this.senders.every(({ waiting }) => waiting === 0) && agent.buffered().length === 0
    for (const giveUp = Date.now() + WELL_WITHIN_MS; !isDone(); await sleep(100))
      if (Date.now() > giveUp) throw new Error(`readings are left at the end that nobody commits\n${this.#lastWords}`)
  }

  /** Of each process of the service. */
  get #lastWords(): string {
    return this.parts.services.map(({ stderr }) => stderr.slice(-600)).join('\n')
  }

  async remove(): Promise<void> {
    const { agent, services, broker, devicesBroker, lines, postgres, disks, folder } = this.parts
    for (const sender of this.senders) await sender.stop()
    await agent.stop()
    for (const service of services) await service.end('SIGKILL')
    await broker?.end('SIGKILL')
    await devicesBroker.end('SIGKILL')
    for (const line of Object.values(lines)) line?.stop()
    postgres?.stop('immediate')
    for (const disk of Object.values(disks)) disk?.unmount()
    rmSync(folder, { recursive: true, force: true })
  }
}

function mosquitto(folder: string, port: number): Supervised {
  const config = join(folder, `mosquitto-${port}.conf`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\n`)
  const program = mosquittoProgram()
  if (!program) throw new Error('Mosquitto is not installed. On Debian: apt-get install mosquitto')
  return new Supervised({ program, args: ['-c', config], cwd: folder, port })
}
