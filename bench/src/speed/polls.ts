import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcess } from '@hypocaust/testing/programs.ts'
import { threadTimeUs } from '../load/cpu.ts'
import type { House } from '../load/houses.ts'
import type { World } from '../load/world.ts'
import { Driver, type Requests, requestBytes } from './driver.ts'
import { alternate, type Contestant } from './rounds.ts'

export interface PollWorld {
  name: string
  world: World
  houses: House[]
}

export interface PollExtent {
  turns: number
  requests: number
  /** Of each contestant, before anything is counted: code that has not run often is slower. */
  warmUp: number
}

const CONNECTIONS = 16

/** Processor time of one answer in microseconds, turn by turn and by contestant; the limit is called `bare`. */
export async function measurePolls(
  worlds: PollWorld[],
  { turns, requests, warmUp }: PollExtent,
): Promise<Record<200 | 304, Map<string, number[]>>> {
  const text = await sampleAnswer(worlds[0] as PollWorld)
  const ready = await Promise.all((['bare', 'fastify'] as const).map((kind) => startReady(kind, text)))
  const asked = [...ready, ...(await Promise.all(worlds.map(askedOf)))]
  try {
    const results: Partial<Record<200 | 304, Map<string, number[]>>> = {}
    for (const status of [200, 304] as const) {
      const contestants = asked.map(({ name, pid, driver, polls }): Contestant => {
        const run = (count: number) => driver.run(count, status, status === 200 ? polls.plain : polls.conditional)
        let isWarm = false
        return {
          name,
          async round() {
            if (!isWarm) await run(warmUp)
            isWarm = true
            const before = threadTimeUs(pid)
            await run(requests)
            return (threadTimeUs(pid) - before) / requests
          },
        }
      })
      results[status] = await alternate(contestants, turns)
    }
    return results as Record<200 | 304, Map<string, number[]>>
  } finally {
    for (const { driver } of asked) driver.close()
    for (const { stop } of ready) await stop()
  }
}

interface Asked {
  name: string
  pid: number
  driver: Driver
  polls: { plain: Requests; conditional: Requests }
}

const pathOf = ({ buildingId }: House): string => `/v1/buildings/${buildingId}/rooms`

async function sampleAnswer({ world, houses }: PollWorld): Promise<string> {
  const [house] = houses as [House]
  return (await fetch(`${world.service.url}${pathOf(house)}`, { headers: { 'x-api-key': house.key } })).text()
}

async function askedOf({ name, world, houses }: PollWorld): Promise<Asked> {
  const { url, pid } = world.service
  const tagged = await Promise.all(
    houses.map(async (house) => {
      const { headers } = await fetch(`${url}${pathOf(house)}`, { headers: { 'x-api-key': house.key } })
      return { house, tag: headers.get('etag') ?? '' }
    }),
  )
  const plain = tagged.map(({ house }) => requestBytes('GET', pathOf(house), { 'x-api-key': house.key }))
  const conditional = tagged.map(({ house, tag }) =>
    requestBytes('GET', pathOf(house), { 'x-api-key': house.key, 'if-none-match': tag }),
  )
  const inTurn =
    (all: Buffer[]): Requests =>
    (n) =>
      all[n % all.length] as Buffer
  const driver = await Driver.connect(url, CONNECTIONS)
  // A connection on which no request comes for half a minute is closed, and the others' turns may take that long.
  await driver.run(CONNECTIONS, 200, inTurn(plain))
  return { name, pid, driver, polls: { plain: inTurn(plain), conditional: inTurn(conditional) } }
}

async function startReady(kind: 'bare' | 'fastify', text: string): Promise<Asked & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-speed-'))
  const file = join(folder, 'answer.json')
  writeFileSync(file, text)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'ready-server.ts'), kind, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(child.stdout, 'data')
  const url = String(printed).trim()
  const tag = (await fetch(url)).headers.get('etag') ?? ''
  const plain = requestBytes('GET', '/v1/rooms')
  const conditional = requestBytes('GET', '/v1/rooms', { 'if-none-match': tag })
  return {
    name: kind,
    pid: child.pid ?? 0,
    driver: await Driver.connect(url, CONNECTIONS),
    polls: { plain: () => plain, conditional: () => conditional },
    async stop() {
      await endProcess(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
