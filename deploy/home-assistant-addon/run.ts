import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { installationOf, openStore } from '@hypocaust/service'
import { writeAgentConfig } from './agent-config.ts'
import { Supervisor } from './supervisor.ts'

interface Options {
  log_level?: string
  pairing_code?: string
}

const { env } = process
const DATA = env.ADDON_DATA ?? '/data'
const CONFIG = env.ADDON_CONFIG ?? '/config'
const PORT = Number(env.HYPOCAUST_PORT ?? 8080)
const COMMAND = env.ADDON_COMMAND ?? '/usr/local/bin/hypocaust'
const SERVICE = `http://127.0.0.1:${PORT}`
const LOOK_EVERY_MS = 500
/** Of the Supervisor, on every installation. It passes on what Home Assistant says of a browser. */
const SUPERVISOR_ADDRESS = '172.30.32.2'

const options: Options = JSON.parse(readFileSync(join(DATA, 'options.json'), 'utf8'))
const supervisor = new Supervisor(env.ADDON_SUPERVISOR ?? 'http://supervisor', env.SUPERVISOR_TOKEN)
const children: ChildProcess[] = []
let isEnding = false

/** Once: a second signal would end a part that is still closing, in the middle of it. */
function end(): void {
  if (isEnding) return
  isEnding = true
  for (const child of children) child.kill('SIGTERM')
}

/** The service and the agent live and end together: the Supervisor starts the add-on anew. */
function startPart(...args: string[]): ChildProcess {
  const settings = {
    HYPOCAUST_DATA: join(DATA, 'hypocaust'),
    HYPOCAUST_HOST: '0.0.0.0',
    HYPOCAUST_PORT: String(PORT),
    HYPOCAUST_TRUSTED_PROXIES: SUPERVISOR_ADDRESS,
  }
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...env, ...settings, HYPOCAUST_LOG_LEVEL: options.log_level ?? 'info' },
    stdio: 'inherit',
  })
  children.push(child)
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 1
    end()
  })
  return child
}

async function untilReady(service: ChildProcess): Promise<void> {
  while (service.exitCode === null) {
    const isReady = await fetch(`${SERVICE}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await setTimeout(LOOK_EVERY_MS)
  }
  throw new Error('the service has ended before it was ready')
}

async function installation(): Promise<string> {
  const store = await openStore(join(DATA, 'hypocaust'))
  try {
    return await installationOf(store)
  } finally {
    await store.close()
  }
}

/** Exchanges the code once; a code of before is of no use to an agent that has its identity. */
async function pair(config: string, code: string): Promise<void> {
  if (existsSync(join(DATA, 'gateway', 'credentials.json'))) return
  const args = ['gateway', 'pair', '--service', SERVICE, '--code', code, '--config', config]
  const [exit] = await once(spawn(process.execPath, [COMMAND, ...args], { stdio: 'inherit' }), 'exit')
  if (exit !== 0) throw new Error('the agent was not paired; enter a new pairing code in the options of the add-on')
}

mkdirSync(join(DATA, 'hypocaust'), { recursive: true })
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)

const service = startPart('serve')
try {
  await untilReady(service)
  await supervisor.announce({ host: hostname(), port: PORT, installation: await installation() })
  const agent = writeAgentConfig(CONFIG, DATA, await supervisor.broker())
  if (agent && options.pairing_code) await pair(agent, options.pairing_code)
  if (agent && !isEnding) startPart('gateway', 'run', '--config', agent)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  end()
}
