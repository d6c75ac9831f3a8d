import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answers, endProcess, findServer } from '@hypocaust/testing/programs.ts'

/** As the units in deploy/ start the service. */
export const UNIT_ENV = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

/** A server the bench has started for itself, on 127.0.0.1 and in a folder of its own. */
export interface OwnServer {
  url: string
  pid: number
  stop(): Promise<void>
}

export interface OwnPostgres extends OwnServer {
  /** Down and up again on the same port; `immediate` is what a power cut leaves behind. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
}

const POSTGRESQL = '/usr/lib/postgresql'
const NOBODY = 65_534
const START_LIMIT_MS = 20_000

/** Nobody is asked to install what only one half of the bench needs. */
export class MissingProgram extends Error {}

/** Without `fsync` it outlives its own crash but not the machine's, and is quicker. */
export async function startPostgres({ fsync = true } = {}): Promise<OwnPostgres> {
  const programs = postgresPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-load-postgres-'))
  const data = join(folder, 'data')
  const port = await freePort()
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const run = async (name: string, args: string[]) => {
    const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
    const child = spawn(join(programs, name), args, { ...identity, cwd: folder, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}`)
  }
  await run('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres'])
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=${fsync ? 'on' : 'off'} -c synchronous_commit=on -c shared_buffers=512MB -c max_wal_size=4GB`
  const start = ['-D', data, '-o', options, '-l', join(folder, 'log'), '-w']
  await run('pg_ctl', [...start, 'start'])
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
    restart: (mode) => run('pg_ctl', [...start, '-m', mode, 'restart']),
    async stop() {
      await run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function postgresPrograms(): string {
  const folders = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL).map((name) => join(POSTGRESQL, name, 'bin')) : []
  const found = folders.findLast((folder) => existsSync(join(folder, 'initdb')))
  if (!found) throw new MissingProgram('PostgreSQL is not installed. On Debian: apt-get install postgresql')
  return found
}

export const mosquittoProgram = (): string => {
  const found = findServer('mosquitto')
  if (!found) throw new MissingProgram('Mosquitto is not installed. On Debian: apt-get install mosquitto')
  return found
}

export async function startMosquitto(): Promise<OwnServer> {
  const program = mosquittoProgram()
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-load-mosquitto-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const config = join(folder, 'mosquitto.conf')
  // Its default of 1,000 waiting messages would throw away what a saturated service has not taken yet.
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nlog_type error\n`)
  const broker = spawn(program, ['-c', config], { stdio: 'ignore' })
  for (const giveUp = Date.now() + START_LIMIT_MS; !(await answers(port)); await sleep(20))
    if (broker.exitCode !== null || Date.now() > giveUp) throw new Error('Mosquitto does not start')
  return {
    url: `mqtt://127.0.0.1:${port}`,
    pid: broker.pid ?? 0,
    async stop() {
      await endProcess(broker, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const MAIN = join(import.meta.dirname, '../../../cli/src/main.ts')

export interface ServiceChoice {
  folder: string
  databaseUrl?: string
  /** The embedded broker unless given. */
  mqttUrl?: string
  role?: 'api' | 'ingest'
  /** The command's program: its source unless given. */
  program?: string
  /** Settings by the environment, beside the addresses. */
  env?: Record<string, string>
}

export interface ServiceProcess {
  url: string
  pid: number
  /** Where gateways connect. */
  mqttUrl: string
  figures(): Promise<Figures>
  stop(): Promise<void>
}

/** What the service says of itself at /metrics. */
export interface Figures {
  cpuS: number
  residentBytes: number
  controlSteps: number
}

/** The real command, with every setting as shipped but for addresses. */
export async function startService(choice: ServiceChoice): Promise<ServiceProcess> {
  const { folder, databaseUrl, mqttUrl, role, program = MAIN } = choice
  const mqttPort = await freePort()
  const flags = ['--data', folder, '--port', '0', '--mqtt-port', String(mqttPort), '--log-level', 'error']
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HYPOCAUST_'))),
    ...UNIT_ENV,
    NODE_COMPILE_CACHE: join(tmpdir(), 'hypocaust-load-compile-cache'),
    ...(databaseUrl !== undefined && {
      HYPOCAUST_DATABASE_URL: databaseUrl,
      HYPOCAUST_AUTH_SECRET: 'a secret that all processes of this run share',
    }),
    ...(mqttUrl !== undefined && { HYPOCAUST_MQTT_URL: mqttUrl }),
    ...choice.env,
  }
  const args = [program, 'serve', ...(role ? ['--role', role] : []), ...flags]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await listening(child)
  return {
    url,
    pid: child.pid ?? 0,
    mqttUrl: mqttUrl ?? `mqtt://127.0.0.1:${mqttPort}`,
    figures: () => figuresAt(url),
    stop: () => endProcess(child, 'SIGTERM'),
  }
}

function listening(child: ChildProcess): Promise<string> {
  let output = ''
  let complaint = ''
  child.stderr?.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-4000)
  })
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      output += text
      const [found] = /https?:\/\/[\d.]+:\d+/.exec(output) ?? []
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${complaint}`)))
  })
}

async function figuresAt(url: string): Promise<Figures> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  return {
    cpuS: figure('process_cpu_seconds_total'),
    residentBytes: figure('process_resident_memory_bytes'),
    controlSteps: figure('hypocaust_control_steps_total'),
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
