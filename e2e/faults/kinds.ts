import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_S } from '@hypocaust/domain/facts'
import type { Random } from '@hypocaust/simulator'
import type { Engine, Stage } from './stage.ts'

export interface FaultKind {
  name: string
  engines: Engine[]
  /** How often it is drawn, against 1 of the others. */
  weight?: number
  /** What the machine does not allow, said in the report. */
  missing?(stage: Stage): string | undefined
  /** Strikes, and repairs what a person or a supervisor would; the rest must come back by itself. */
  strike(stage: Stage, random: Random): Promise<void>
}

const BOTH: Engine[] = ['sqlite', 'postgres']
const POSTGRES: Engine[] = ['postgres']

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random.uniform() * from.length)] as T
const between = (random: Random, low: number, high: number) => Math.round(low + random.uniform() * (high - low))
const anyService = ({ parts }: Stage, random: Random) => pick(random, parts.services)

const noDisk = (name: 'service' | 'agent' | 'postgres') => (stage: Stage) =>
  stage.parts.disks[name] ? undefined : 'no file system may be mounted here'
const noClock = (name: 'service' | 'agent') => (stage: Stage) =>
  stage.parts.clocks[name] ? undefined : 'libfaketime is missing: apt-get install libfaketime'

export const FAULTS: FaultKind[] = [
  {
    name: 'kill -9 of the service',
    engines: BOTH,
    weight: 0.6,
    async strike(stage, random) {
      const service = anyService(stage, random)
      await sleep(between(random, 0, 300))
      await service.end('SIGKILL')
      await service.start()
    },
  },
  {
    name: 'restart of the service',
    engines: BOTH,
    weight: 0.2,
    async strike(stage, random) {
      const service = anyService(stage, random)
      await service.end('SIGTERM')
      await service.start()
    },
  },
  {
    name: 'service stands still',
    engines: BOTH,
    async strike(stage, random) {
      const service = anyService(stage, random)
      service.signal('SIGSTOP')
      await sleep(between(random, 300, 2500))
      service.signal('SIGCONT')
    },
  },
  {
    name: 'kill -9 of the agent',
    engines: BOTH,
    weight: 0.6,
    async strike({ parts: { agent } }, random) {
      await sleep(between(random, 0, 300))
      await agent.kill()
      await agent.process.start()
    },
  },
  {
    name: 'kill -9 of the devices’ broker',
    engines: BOTH,
    async strike({ parts: { devicesBroker } }) {
      await devicesBroker.end('SIGKILL')
      await devicesBroker.start()
    },
  },
  {
    name: 'network lost between gateways and service',
    engines: BOTH,
    async strike({ parts: { lines } }, random) {
      lines.gateways.set('lost')
      await sleep(between(random, 200, 4000))
      lines.gateways.set('good')
    },
  },
  {
    name: 'connections of gateways cut',
    engines: BOTH,
    async strike({ parts: { lines } }) {
      lines.gateways.cut()
    },
  },
  {
    name: 'connections of gateways half open',
    engines: BOTH,
    weight: 0.05,
    async strike({ parts: { lines } }) {
      lines.gateways.halfOpen()
    },
  },
  {
    name: 'gateways on a slow line',
    engines: BOTH,
    async strike({ parts: { lines } }, random) {
      lines.gateways.set('slow')
      await sleep(between(random, 300, 2000))
      lines.gateways.set('good')
    },
  },
  {
    name: 'owners on a slow line',
    engines: BOTH,
    async strike({ parts: { lines } }, random) {
      lines.http.set('slow')
      await sleep(between(random, 300, 2000))
      lines.http.set('good')
    },
  },
  {
    name: 'half-open and unfinished connections',
    engines: BOTH,
    async strike({ parts: { ports } }, random) {
      const sockets = Array.from({ length: between(random, 10, 60) }, (_, i) => {
        const socket = connect({ port: i % 2 ? ports.http : ports.mqtt, host: '127.0.0.1' })
        socket.on('error', () => {})
        socket.write(
          pick(random, ['GET /v1/buildings HTTP/1.1\r\nHost: a\r\n', '\x10', 'X\r\n\r\n', '\x10\xff\xff\xff\x7f']),
        )
        return socket
      })
      await sleep(between(random, 100, 800))
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    name: 'clock of the service steps and steps back',
    engines: BOTH,
    missing: noClock('service'),
    async strike(stage, random) {
      const clock = stage.parts.clocks.service
      clock?.setOffset(pick(random, [HOUR_S, -HOUR_S, 24 * HOUR_S, -24 * HOUR_S, -360, 360]))
      await sleep(between(random, 1500, 3000))
      clock?.setOffset(0)
      await sleep(1200)
    },
  },
  {
    name: 'clock of the agent steps and steps back',
    engines: BOTH,
    missing: noClock('agent'),
    async strike(stage, random) {
      const clock = stage.parts.clocks.agent
      clock?.setOffset(pick(random, [-HOUR_S, -24 * HOUR_S, -360, 240]))
      await sleep(between(random, 1500, 3000))
      clock?.setOffset(0)
      await sleep(1200)
    },
  },
  {
    name: 'disk of the service full',
    engines: ['sqlite'],
    missing: noDisk('service'),
    async strike({ parts: { disks } }, random) {
      disks.service?.fill()
      await sleep(between(random, 500, 2000))
      disks.service?.free()
    },
  },
  {
    name: 'disk of PostgreSQL full',
    engines: POSTGRES,
    missing: noDisk('postgres'),
    async strike({ parts: { disks, postgres } }, random) {
      disks.postgres?.fill()
      await sleep(between(random, 500, 2000))
      disks.postgres?.free()
      await postgres?.start()
    },
  },
  {
    name: 'disk of the agent full',
    engines: BOTH,
    weight: 0.3,
    missing: noDisk('agent'),
    async strike({ parts: { disks, agent } }, random) {
      disks.agent?.fill()
      await sleep(between(random, 500, 2000))
      disks.agent?.free()
      // From then on it keeps readings in memory only; it is on its disk again after a restart.
      await agent.process.end('SIGTERM')
      await agent.process.start()
    },
  },
  {
    name: 'data folder read-only at the start',
    engines: ['sqlite'],
    weight: 0.15,
    missing: noDisk('service'),
    strike: (stage) =>
      stage.undisturbed(async () => {
        const [service] = stage.parts.services
        await service?.end('SIGTERM')
        stage.parts.disks.service?.setReadOnly(true)
        const outcome = await service?.startOrRefuse()
        stage.parts.disks.service?.setReadOnly(false)
        expectRefusal(outcome, /^hypocaust: [^\n]*(read-only|readonly)/i)
        await service?.start()
      }),
  },
  {
    name: 'database damaged at the start',
    engines: ['sqlite'],
    weight: 0.2,
    strike: (stage, random) => stage.undisturbed(() => withDamage(stage, random)),
  },
  {
    name: 'disk of the agent damaged',
    engines: BOTH,
    weight: 0.2,
    async strike({ parts: { agent } }, random) {
      const restore = await damaged(agent.database, random, () => agent.kill())
      await agent.process.start()
      await sleep(1500)
      if (!agent.process.isRunning)
        throw new Error(`the agent does not outlive a damaged disk: ${agent.process.stderr}`)
      await agent.process.end('SIGKILL')
      restore()
      await agent.process.start()
    },
  },
  {
    name: 'kill -9 of the broker',
    engines: POSTGRES,
    async strike({ parts: { broker } }) {
      await broker?.end('SIGKILL')
      await broker?.start()
    },
  },
  {
    name: 'broker accepts and then hangs',
    engines: POSTGRES,
    async strike({ parts: { broker } }, random) {
      broker?.signal('SIGSTOP')
      await sleep(between(random, 500, 3000))
      broker?.signal('SIGCONT')
    },
  },
  {
    name: 'network lost between service and broker',
    engines: POSTGRES,
    async strike({ parts: { lines } }, random) {
      lines.broker?.set('lost')
      await sleep(between(random, 300, 3000))
      lines.broker?.set('good')
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    engines: POSTGRES,
    async strike({ parts: { postgres } }) {
      postgres?.kill()
      await sleep(300)
      await postgres?.start()
    },
  },
  {
    name: 'restart of PostgreSQL',
    engines: POSTGRES,
    async strike({ parts: { postgres } }, random) {
      postgres?.stop(pick(random, ['fast', 'immediate'] as const))
      await postgres?.start()
    },
  },
  {
    name: 'network lost between service and PostgreSQL',
    engines: POSTGRES,
    async strike({ parts: { lines } }, random) {
      lines.database?.set('lost')
      await sleep(between(random, 300, 3000))
      lines.database?.set('good')
    },
  },
  {
    name: 'connections to PostgreSQL cut',
    engines: POSTGRES,
    async strike({ parts: { lines } }) {
      lines.database?.cut()
    },
  },
]

/** A damaged database is refused in one line, or served without a wrong answer; then the backup is back. */
async function withDamage(stage: Stage, random: Random): Promise<void> {
  const { services, folder, ports } = stage.parts
  const [service] = services
  const restore = await damaged(join(folder, 'service', 'hypocaust.db'), random, async () => service?.end('SIGTERM'))
  const outcome = await service?.startOrRefuse()
  if (outcome === 'started') {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/v1/buildings`, {
      headers: { 'x-api-key': stage.parts.houses[0]?.readKey ?? '' },
    })
    const text = await answer.text()
    const isFine = answer.ok || /^\{"error":\{"code":/.test(text)
    if (!isFine) throw new Error(`a damaged database answers ${answer.status} ${text.slice(0, 200)}`)
    await service?.end('SIGKILL')
  } else {
    // A flipped bit in the list of migrations looks like a migration of tomorrow.
    expectRefusal(outcome, /^hypocaust: [^\n]*(damaged|malformed|not a database|disk I\/O|newer version)/)
  }
  restore()
  await service?.start()
}

/** Truncates the file or flips some of its bits, once its process has ended; the result puts it back. */
async function damaged(file: string, random: Random, end: () => Promise<void>): Promise<() => void> {
  await end()
  const files = ['', '-wal', '-shm'].map((suffix) => file + suffix).filter((each) => existsSync(each))
  for (const each of files) copyFileSync(each, `${each}.saved`)
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  const bytes = readFileSync(file)
  if (random.uniform() < 0.4) truncateSync(file, between(random, 1, bytes.length - 1))
  else {
    // In the header and the first pages, where the tables are listed: what is not found there cannot be opened.
    for (let flip = between(random, 1, 40); flip > 0; flip--) {
      const at = between(random, 0, Math.min(bytes.length, 16_384) - 1)
      bytes[at] = (bytes[at] as number) ^ (1 << between(random, 0, 7))
    }
    writeFileSync(file, bytes)
  }
  return () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    for (const each of files) {
      copyFileSync(`${each}.saved`, each)
      rmSync(`${each}.saved`)
    }
  }
}

function expectRefusal(outcome: 'started' | { code: number | null; stderr: string } | undefined, line: RegExp): void {
  if (outcome === 'started' || outcome === undefined) throw new Error('the service started where it must refuse')
  if (outcome.code !== 1 || !line.test(outcome.stderr) || outcome.stderr.trim().includes('\n'))
    throw new Error(`ended with ${outcome.code}, not with one clear line: ${outcome.stderr}`)
}
