import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFile } from '@hypocaust/domain'
import { openStore, rotateToken, systemClock } from '@hypocaust/service'
import { hypocaust, MAIN, type Running, start } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { mosquittoProgram } from '@hypocaust/testing/mosquitto.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { answers, endProcess, findServer } from '@hypocaust/testing/programs.ts'

export const DEPLOY = join(import.meta.dirname, '../../deploy')
const FIXTURES = join(import.meta.dirname, '../../testing/src/fixtures')
export const CERTIFICATE = readFileSync(join(FIXTURES, 'self-signed-cert.pem'), 'utf8')

const haproxyProgram = (): string | undefined => findServer('haproxy')

/** For `describe.skipIf`: says so where a program is missing, and does not let a build server skip anything. */
export function withoutPrograms(postgresUrl: string): boolean {
  const missing = [
    ...(haproxyProgram() ? [] : ['haproxy']),
    ...(mosquittoProgram() ? [] : ['mosquitto']),
    ...(postgresUrl === '' ? ['postgresql'] : []),
  ]
  if (missing.length === 0) return false
  const advice = `${missing.join(', ')} missing: apt-get install ${missing.join(' ')}`
  if (process.env.CI === 'true') throw new Error(advice)
  console.warn(`SKIPPED: ${advice}`)
  return true
}

/** A house of the installation, and what its gateway signs in with. */
export interface SettledHouse extends Holder {
  gatewayId: string
  token: string
}

/** PostgreSQL, Mosquitto, HAProxy and the service's processes as deploy/ sets them up, on this machine. */
export class Installation {
  readonly folder: string
  readonly databaseUrl: string
  readonly houses: SettledHouse[]
  readonly ports: { mqtt: number; mqtts: number; http: number; https: number; figures: number; services: number[] }
  readonly #password: string
  readonly #nodeFlags: string[]
  readonly #running = new Map<number, Running>()
  #broker: ChildProcess | undefined
  #proxy: ChildProcess | undefined
  #launchProxy: ((...more: string[]) => Promise<ChildProcess>) | undefined

  private constructor(
    folder: string,
    databaseUrl: string,
    houses: SettledHouse[],
    ports: Installation['ports'],
    password: string,
    nodeFlags: string[],
  ) {
    this.folder = folder
    this.databaseUrl = databaseUrl
    this.houses = houses
    this.ports = ports
    this.#password = password
    this.#nodeFlags = nodeFlags
  }

  /** The houses are in the database, and Mosquitto's files are written as compose.yaml has them written. */
  static async build(
    databaseUrl: string,
    houses: HouseFile[],
    services: number,
    nodeFlags: string[] = [],
  ): Promise<Installation> {
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-installation-'))
    chmodSync(folder, 0o755)
    const settled = await settleAll(databaseUrl, houses)
    const password = 'correct-horse-battery-staple'
    const users = join(folder, 'mosquitto')
    mkdirSync(users)
    writeFileSync(join(users, 'service-password'), password)
    const env = { HYPOCAUST_DATABASE_URL: databaseUrl }
    const { code, stderr } = await hypocaust(folder, ['broker', 'mosquitto-config', '--out', users], '', env)
    if (code !== 0) throw new Error(`broker mosquitto-config: ${stderr}`)
    const ports = {
      mqtt: await freePort(),
      mqtts: await freePort(),
      http: await freePort(),
      https: await freePort(),
      figures: await freePort(),
      services: await Promise.all(Array.from({ length: services }, freePort)),
    }
    return new Installation(folder, databaseUrl, settled, ports, password, nodeFlags)
  }

  get url(): string {
    return `https://127.0.0.1:${this.ports.https}`
  }

  /** What compose.yaml gives every process, with this machine's addresses. */
  get environment(): Record<string, string> {
    return {
      HYPOCAUST_DATABASE_URL: this.databaseUrl,
      HYPOCAUST_MQTT_URL: `mqtt://hypocaust:${this.#password}@127.0.0.1:${this.ports.mqtt}`,
      HYPOCAUST_MQTT_GATEWAY_URL: `mqtts://127.0.0.1:${this.ports.mqtts}`,
      HYPOCAUST_AUTH_SECRET: 'a secret that all processes of this test share',
      HYPOCAUST_TRUSTED_PROXIES: '127.0.0.1',
    }
  }

  async startService(index: number, args: string[] = ['serve'], settings: Record<string, string> = {}): Promise<void> {
    const flags = ['--data', `data-${index}`, '--port', String(this.ports.services[index]), '--log-level', 'error']
    const env = { ...this.environment, ...settings }
    const program = [process.execPath, ...this.#nodeFlags, MAIN] as const
    this.#running.set(index, await start(this.folder, [...args, ...flags], env, program))
  }

  get processes(): { index: number; pid: number }[] {
    return [...this.#running].map(([index, { pid }]) => ({ index, pid }))
  }

  /** The last of what its processes have complained about. */
  get lastWords(): string {
    return [...this.#running].map(([index, { stderr }]) => `${index}: ${stderr.slice(-600)}`).join('\n')
  }

  /** Its connections stay, and it answers nothing. */
  freezeService(index: number): void {
    process.kill(this.#running.get(index)?.pid ?? 0, 'SIGSTOP')
  }

  thawService(index: number): void {
    process.kill(this.#running.get(index)?.pid ?? 0, 'SIGCONT')
  }

  async endService(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null> {
    const ended = await this.#running.get(index)?.end(signal)
    this.#running.delete(index)
    return ended ?? null
  }

  /** deploy/mosquitto/mosquitto.conf with folders and ports of this machine. */
  async startBroker(): Promise<void> {
    const config = join(this.folder, 'mosquitto.conf')
    const certificates = join(this.folder, 'certificates')
    const data = join(this.folder, 'mosquitto-data')
    if (!existsSync(config)) {
      mkdirSync(certificates)
      copyFileSync(join(FIXTURES, 'self-signed-cert.pem'), join(certificates, 'fullchain.pem'))
      copyFileSync(join(FIXTURES, 'self-signed-key.pem'), join(certificates, 'privkey.pem'))
      mkdirSync(data)
      writeFileSync(config, this.#brokerConfig(certificates, data))
    }
    this.#broker = await launched(mosquittoProgram() ?? 'mosquitto', ['-c', config], process.env, this.ports.mqtts)
  }

  #brokerConfig(certificates: string, data: string): string {
    const text = readFileSync(join(DEPLOY, 'mosquitto/mosquitto.conf'), 'utf8')
      .replace('listener 8883', `listener ${this.ports.mqtts} 127.0.0.1`)
      .replace('listener 1883', `listener ${this.ports.mqtt} 127.0.0.1`)
      .replaceAll('/certificates/', `${certificates}/`)
      .replace('/etc/mosquitto/hypocaust', join(this.folder, 'mosquitto'))
      .replace('/mosquitto/data/', `${data}/`)
    // Run as root, Mosquitto would become a user that may not read a test's folder.
    return process.getuid?.() === 0 ? `user root\n${text}` : text
  }

  async endBroker(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await endProcess(this.#broker, signal)
  }

  /** deploy/haproxy.cfg as it stands, before the processes named. */
  async startProxy(behind: number[]): Promise<void> {
    const folder = join(this.folder, 'haproxy')
    cpSync(join(DEPLOY, 'errors'), join(folder, 'errors'), { recursive: true })
    copyFileSync(join(DEPLOY, 'haproxy.cfg'), join(folder, 'haproxy.cfg'))
    const certificate = join(folder, 'proxy.pem')
    writeFileSync(certificate, CERTIFICATE + readFileSync(join(FIXTURES, 'self-signed-key.pem'), 'utf8'))
    const servers = behind.map((index, i) => [`API_${i + 1}`, `127.0.0.1:${this.ports.services[index]}`])
    const env = {
      ...process.env,
      HTTP_BIND: `127.0.0.1:${this.ports.http}`,
      HTTPS_BIND: `127.0.0.1:${this.ports.https}`,
      METRICS_BIND: `127.0.0.1:${this.ports.figures}`,
      CERTIFICATE: certificate,
      MAXCONN: '200',
      ...Object.fromEntries(servers),
    }
    this.#launchProxy = (...more) =>
      launched(
        haproxyProgram() ?? 'haproxy',
        ['-db', '-f', join(folder, 'haproxy.cfg'), ...more],
        env,
        this.ports.https,
      )
    this.#proxy = await this.#launchProxy()
  }

  /** As `systemctl reload` does it: another one listens, and the first ends when its connections have. */
  async reloadProxy(): Promise<void> {
    const before = this.#proxy
    this.#proxy = await this.#launchProxy?.('-sf', String(before?.pid))
  }

  async remove(): Promise<void> {
    for (const index of [...this.#running.keys()]) await this.endService(index, 'SIGKILL')
    await endProcess(this.#proxy, 'SIGKILL')
    await endProcess(this.#broker, 'SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function settleAll(databaseUrl: string, houses: HouseFile[]): Promise<SettledHouse[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-settle-'))
  const store = await openStore(folder, databaseUrl)
  const settled: SettledHouse[] = []
  for (const [i, house] of houses.entries()) {
    const holder = await settleHolder(store, systemClock, `holder-${i}@example.org`, house)
    const gatewayId = holder.gatewayIds[0] as string
    settled.push({ ...holder, gatewayId, token: (await rotateToken(store, systemClock, gatewayId)) as string })
  }
  await store.close()
  rmSync(folder, { recursive: true, force: true })
  return settled
}

/** Resolves when it listens; a program that ends instead says why. */
async function launched(program: string, args: string[], env: NodeJS.ProcessEnv, port: number): Promise<ChildProcess> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr?.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-2000)
  })
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${complaint}`)
    return answers(port)
  })
  return child
}
