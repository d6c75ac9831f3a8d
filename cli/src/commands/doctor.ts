import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { checkBroker, checkData, checkMail, readLocalTls, type Settings, systemClock } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { printJson } from '../output.ts'

interface Finding {
  check: string
  ok: boolean
  finding: string
}

const NEEDED_NODE_MAJOR = 26

export function doctorCommand(program: Command): void {
  addSettingFlags(program.command('doctor').description('check this machine and suggest fixes'), [
    'data',
    'host',
    'port',
    'mqtt_port',
  ])
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }, command: Command) => {
      const findings = await examine(settingsOf(command))
      if (flags.json) printJson(findings)
      else for (const { check, ok, finding } of findings) console.log(`${ok ? '✓' : '✗'} ${check}: ${finding}`)
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

export async function examine(settings: Settings): Promise<Finding[]> {
  const { host, port, mqtt_port, mqtt_url } = settings
  const isRunning = (await isHypocaust(host, port)) || (await isHypocaustOverTls(host, port))
  return [
    examineNode(),
    ...(await checkData(settings.data, settings.database_url)),
    ...(await checkMail(settings)),
    ...examineTls(settings),
    await examinePort('HTTP port', { host, port, isRunning, flag: '--port' }),
    ...(await checkBroker(mqtt_url)),
    ...(mqtt_url === undefined
      ? [await examinePort('MQTT port', { host, port: mqtt_port, isRunning, flag: '--mqtt-port' })]
      : []),
  ]
}

function examineNode(): Finding {
  const ok = Number(process.versions.node.split('.')[0]) >= NEEDED_NODE_MAJOR
  const finding = ok
    ? process.version
    : `${process.version} is too old; npm ci brings the right one, use it by npx or npm`
  return { check: 'Node', ok, finding }
}

/** The local authority, where there is one and no other certificate is used. */
function examineTls({ data, tls_cert }: Settings): Finding[] {
  const local = tls_cert === undefined ? readLocalTls(data) : undefined
  if (!local) return []
  const { authority, names, endsMs } = local
  const ok = authority.endsMs > systemClock.now()
  const ends = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const finding = ok
    ? `for ${names.join(', ')} until ${ends(endsMs)}, renewed by itself; the authority until ${ends(authority.endsMs)}`
    : `the authority ended on ${ends(authority.endsMs)}; delete its folder and run hypocaust tls init`
  return [{ check: 'Certificate', ok, finding }]
}

interface PortCheck {
  host: string
  port: number
  flag: string
  /** The service itself is up, so its ports are taken by rights. */
  isRunning: boolean
}

async function examinePort(check: string, { host, port, flag, isRunning }: PortCheck): Promise<Finding> {
  const server = createServer()
  server.listen(port, host)
  try {
    await once(server, 'listening')
    server.close()
    return { check, ok: true, finding: `${host}:${port} is free` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE') return { check, ok: false, finding: `${host}:${port}: ${message}` }
    if (isRunning) return { check, ok: true, finding: `${host}:${port} is in use, and Hypocaust is running` }
    return { check, ok: false, finding: `${host}:${port} is taken by another program; choose another with ${flag}` }
  }
}

/** Whether its certificate is good is not the question here. */
async function isHypocaustOverTls(host: string, port: number): Promise<boolean> {
  try {
    const options = { host, port, path: '/health/live', rejectUnauthorized: false, timeout: 1000, agent: false }
    const asking = get(options)
    asking.on('timeout', () => asking.destroy())
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode === 200 && 'x-request-id' in response.headers
  } catch {
    return false
  }
}

async function isHypocaust(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://${host}:${port}/health/live`, { signal: AbortSignal.timeout(1000) })
    return response.ok && response.headers.has('x-request-id')
  } catch {
    return false
  }
}
