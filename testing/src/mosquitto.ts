import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.ts'
import { answers, endProcess, findServer } from './programs.ts'

/** A real Mosquitto for tests, on 127.0.0.1. */
export interface Mosquitto {
  port: number
  url: string
  /** Ends the process as a crash would. */
  kill(): Promise<void>
  /** Keeps its connections and answers nothing, until it is killed or stopped. */
  hang(): void
  /** Again on the same port. */
  restart(): Promise<void>
  /** Other passwords from now on: the file is written anew and read on a hang-up signal, as an operator does it. */
  usePasswords(passwords: Record<string, string>): void
  stop(): Promise<void>
}

interface MosquittoOptions {
  /** 0 or absent: any free port. */
  port?: number
  /** By user name; without any, everybody may do everything. */
  passwords?: Record<string, string>
  /** The text of an ACL file. */
  acl?: string
}

const START_MS = 120_000

/** The broker's program, or undefined where it is not installed. */
export const mosquittoProgram = (): string | undefined => findServer('mosquitto')

/** For `describe.skipIf`: says so where Mosquitto is missing, and does not let a build server skip anything. */
export function withoutMosquitto(): boolean {
  if (mosquittoProgram()) return false
  if (process.env.CI === 'true') throw new Error('Mosquitto is not installed: apt-get install mosquitto')
  console.warn('SKIPPED: Mosquitto is not installed (apt-get install mosquitto), so no test ran on a real broker')
  return true
}

export async function startMosquitto(options: MosquittoOptions = {}): Promise<Mosquitto> {
  const program = mosquittoProgram()
  if (!program) throw new Error('Mosquitto is not installed: apt-get install mosquitto')
  const port = options.port || (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  const config = writeConfig(folder, program, port, options)
  let broker = await launch(program, config, port)
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    kill: () => endProcess(broker, 'SIGKILL'),
    hang: () => void broker.kill('SIGSTOP'),
    restart: async () => {
      await endProcess(broker, 'SIGKILL')
      broker = await launch(program, config, port)
    },
    usePasswords: (passwords) => {
      writePasswords(folder, program, passwords)
      broker.kill('SIGHUP')
    },
    stop: async () => {
      broker.kill('SIGCONT')
      await endProcess(broker, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function writeConfig(folder: string, program: string, port: number, { passwords, acl }: MosquittoOptions): string {
  // Run as root, Mosquitto becomes its own user and must still read its files.
  chmodSync(folder, 0o755)
  const lines = [`listener ${port} 127.0.0.1`, `allow_anonymous ${passwords ? 'false' : 'true'}`, 'persistence false']
  if (passwords) lines.push(`password_file ${writePasswords(folder, program, passwords)}`)
  if (acl !== undefined) {
    writeFileSync(join(folder, 'acl'), acl)
    lines.push(`acl_file ${join(folder, 'acl')}`)
  }
  const config = join(folder, 'mosquitto.conf')
  writeFileSync(config, `${lines.join('\n')}\n`)
  return config
}

function writePasswords(folder: string, program: string, passwords: Record<string, string>): string {
  const file = join(folder, 'passwords')
  writeFileSync(file, '', { mode: 0o644 })
  for (const [user, password] of Object.entries(passwords)) addPassword(program, file, user, password)
  chmodSync(file, 0o644)
  return file
}

function addPassword(program: string, file: string, user: string, password: string): void {
  const beside = [join(dirname(program), 'mosquitto_passwd'), '/usr/bin/mosquitto_passwd'].find((each) =>
    existsSync(each),
  )
  const done = spawnSync(beside ?? 'mosquitto_passwd', ['-b', file, user, password], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`mosquitto_passwd: ${done.stderr}`)
}

async function launch(program: string, config: string, port: number): Promise<ChildProcess> {
  const broker = spawn(program, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  broker.stderr?.on('data', (text) => {
    complaint += text
  })
  const giveUp = Date.now() + START_MS
  while (!(await answers(port))) {
    if (broker.exitCode !== null) throw new Error(`Mosquitto did not start: ${complaint}`)
    if (Date.now() > giveUp) throw new Error(`Mosquitto did not answer within ${START_MS / 1000} s`)
    await sleep(20)
  }
  return broker
}
