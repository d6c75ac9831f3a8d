import type { Store } from '@hypocaust/service'
import { Chance } from './chance.ts'
import { fuzzCommands } from './commands.ts'
import { fuzzDevices } from './devices.ts'
import { fuzzGatewayFiles, fuzzHouseFiles } from './files.ts'
import { fuzzHttp } from './http.ts'
import { fuzzMcp } from './mcp.ts'
import { fuzzMqtt } from './mqtt.ts'
import { fuzzOauth } from './oauth.ts'
import { starvedMs } from './starved.ts'
import { Target } from './target.ts'
import { Verdict } from './verdict.ts'

/** Of all cases, the share of each area. */
const SHARES = {
  v1: 0.2,
  control: 0.06,
  mcp: 0.04,
  oauth: 0.03,
  app: 0.22,
  mqtt: 0.15,
  houseFiles: 0.08,
  gatewayFiles: 0.08,
  devices: 0.12,
  commands: 0.02,
}

/** Memory is flat when the second half of the requests leaves no more than this much behind. */
const MOST_GROWTH = 0.1
/** The threads that read house files and calendars are there for half a minute after the last one. */
const SLACK_MB = 40

interface FuzzReport {
  engine: Store['engine']
  seed: number
  verdict: Verdict
  memory: { halfwayMegabytes: number; endMegabytes: number }
}

interface FuzzChoice {
  engine: Store['engine']
  seed: number
  cases: number
  /** A second, unless the machine has other work beside. */
  hangMs?: number
  /** What has been tried, as it goes on. */
  onProgress?(line: string): void
}

export async function runFuzz(choice: FuzzChoice): Promise<FuzzReport> {
  const { engine, seed, cases, hangMs = 1000, onProgress = () => {} } = choice
  const target = await Target.start(engine)
  const verdict = new Verdict(hangMs, () => starvedMs(target.process.pid) + starvedMs(process.pid))
  const chance = new Chance(seed)
  const count = (area: keyof typeof SHARES, parts = 1) => Math.ceil((cases * SHARES[area]) / parts)
  const unhandled = (reason: unknown) =>
    verdict.fault('unhandled rejection', String((reason as Error)?.stack ?? reason))
  const tried = async (area: string, work: () => Promise<void>) => {
    await work()
    onProgress(`${area}: ${verdict.cases} of ${cases} cases so far, ${verdict.faults.length} faults`)
  }
  process.on('unhandledRejection', unhandled)
  try {
    const memory = { halfwayMegabytes: 0, endMegabytes: 0 }
    for (const half of ['halfwayMegabytes', 'endMegabytes'] as const) {
      for (const [area, work] of [
        ['/v1', () => fuzzHttp(target, 'v1', count('v1', 2), chance, verdict)],
        ['/control/v1', () => fuzzHttp(target, 'control', count('control', 2), chance, verdict)],
        ['/mcp', () => fuzzMcp(target, count('mcp', 2), chance, verdict)],
        ['/oauth', () => fuzzOauth(target, count('oauth', 2), chance, verdict)],
        ['/app', () => fuzzHttp(target, 'app', count('app', 2), chance, verdict)],
        ['MQTT', () => fuzzMqtt(target, count('mqtt', 2), chance, verdict)],
      ] as const)
        await tried(area, work)
      memory[half] = target.residentMegabytes
    }
    for (const [area, work] of [
      ['house files', () => fuzzHouseFiles(count('houseFiles'), chance, verdict)],
      ['gateway files', () => fuzzGatewayFiles(count('gatewayFiles'), chance, verdict)],
      ['device messages', () => fuzzDevices(count('devices'), chance, verdict)],
      ['command lines', () => fuzzCommands(count('commands'), chance, verdict)],
    ] as const)
      await tried(area, work)
    const most = memory.halfwayMegabytes * (1 + MOST_GROWTH) + SLACK_MB
    if (memory.endMegabytes > most)
      verdict.fault(
        'memory',
        `${memory.halfwayMegabytes.toFixed(0)} MB halfway, ${memory.endMegabytes.toFixed(0)} MB at the end`,
      )
    return { engine, seed, verdict, memory }
  } finally {
    process.off('unhandledRejection', unhandled)
    await target.stop()
  }
}

export function printed({ engine, seed, verdict, memory }: FuzzReport): string {
  const found = (kind: string) => verdict.faults.filter((fault) => fault.startsWith(`${kind}:`)).length
  return [
    `seed ${seed} on ${engine}`,
    `cases                 ${verdict.cases}`,
    ...verdict.areas.map(([area, count]) => `  ${String(count).padStart(7)}  ${area}`),
    `5xx                   ${found('5xx')}`,
    `crashes               ${found('crash')}`,
    `${`hangs over ${verdict.hangMs / 1000} s`.padEnd(21)} ${found('hang')}`,
    `no answer             ${found('no answer')}`,
    `unhandled rejections  ${found('unhandled rejection')}`,
    `wrong error shape     ${found('error shape')}`,
    `memory                ${memory.halfwayMegabytes.toFixed(0)} MB halfway, ${memory.endMegabytes.toFixed(0)} MB at the end`,
    `slowest case          ${verdict.slowestMs.toFixed(0)} ms: ${verdict.slowest.slice(0, 160)}`,
    ...verdict.faults.slice(0, 50).map((fault) => `FAULT ${fault}`),
  ].join('\n')
}
