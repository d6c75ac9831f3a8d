import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programOf } from '@hypocaust/testing/program-of.ts'
import { endProcess } from '@hypocaust/testing/programs.ts'
import { threadTimeUs } from '../load/cpu.ts'
import { fill, openSqliteFile } from '../load/database.ts'
import type { House } from '../load/houses.ts'
import { type OwnServer, startService, UNIT_ENV } from '../load/processes.ts'
import { alternate, type Figure, ratioOf } from './rounds.ts'

interface StartResult {
  /** Processor time until the first 200, of `node -e 0`, as released and from the sources. */
  released: Figure
  sources: Figure
  serviceMb: number
  agentMb: number | null
}

const EMPTY_STARTS = 20
/** V8 gives back the space of new objects that a start needed with a collection that comes a minute or two later. */
const REST_MS = 180_000

export async function measureStart(
  { turns, devices }: { turns: number; devices: OwnServer | undefined },
  done: (what: string) => void,
): Promise<StartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-speed-start-'))
  try {
    const starts = { released: { program: programOf('hypocaust') }, sources: {} }
    const values = await alternate(
      [
        { name: 'node', round: emptyStartUs },
        { name: 'released', round: () => startUs(folder, starts.released) },
        { name: 'sources', round: () => startUs(folder, starts.sources) },
      ],
      turns,
    )
    done('starts')
    const memory = await memoryAtRest(folder, devices)
    done('memory at rest')
    return {
      released: inverse(ratioOf(values, 'released', 'node')),
      sources: inverse(ratioOf(values, 'sources', 'node')),
      ...memory,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const inverse = ({ median, low, high }: Figure): Figure => ({ median: 1 / median, low: 1 / high, high: 1 / low })

/** The shell adds up what its children took. */
async function emptyStartUs(): Promise<number> {
  const script = `i=0; while [ $i -lt ${EMPTY_STARTS} ]; do "${process.execPath}" -e 0; i=$((i+1)); done; times`
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  await once(child, 'close')
  const [user = 0, system = 0] = [...(output.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
  )
  return ((user + system) * 1e6) / EMPTY_STARTS
}

async function startUs(folder: string, choice: { program?: string }): Promise<number> {
  const service = await startService({ folder, ...choice })
  const { status } = await fetch(`${service.url}/health/ready`)
  if (status !== 200) throw new Error(`not ready: ${status}`)
  const us = threadTimeUs(service.pid)
  await service.stop()
  return us
}

async function memoryAtRest(
  folder: string,
  devices: OwnServer | undefined,
): Promise<Pick<StartResult, 'serviceMb' | 'agentMb'>> {
  const database = openSqliteFile(folder)
  const [house] = (await fill(database, 1, () => {})) as [House]
  await database.close()
  const service = await startService({ folder, program: programOf('hypocaust') })
  const agent = devices && (await startAgent(folder, house, service.mqttUrl, devices))
  await sleep(REST_MS)
  const memory = { serviceMb: residentMb(service.pid), agentMb: agent ? residentMb(agent.pid ?? 0) : null }
  await endProcess(agent, 'SIGTERM')
  await service.stop()
  return memory
}

async function startAgent(folder: string, house: House, serviceUrl: string, devices: OwnServer) {
  const { gatewayId, gatewayToken, roomIds } = house
  const config = {
    service: { url: serviceUrl, gateway_id: gatewayId, token: gatewayToken },
    devices: { url: devices.url },
    sensors: { every_s: 60 },
    channels: roomIds.map((_, i) => ({ channel: i + 1, driver: 'shelly', topic: 'shellypro4pm', output: i })),
  }
  writeFileSync(join(folder, 'gateway.yaml'), JSON.stringify(config))
  return spawn(process.execPath, [programOf('gateway'), 'run'], {
    cwd: folder,
    env: { ...process.env, ...UNIT_ENV },
    stdio: 'ignore',
  })
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
