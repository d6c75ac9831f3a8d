// How 1,000 waiting clients fare: memory, and how soon the last of them knows of a change made in another process.
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import type { Changes, Room } from '@hypocaust/domain'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { fill } from '../load/database.ts'
import type { House } from '../load/houses.ts'
import { type ServiceProcess, startMosquitto, startPostgres } from '../load/processes.ts'
import { World } from '../load/world.ts'

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
})
const CLIENTS = Number(values.clients)
const ROUNDS = Number(values.rounds)
/** What keeps strangers from doing this is not measured here. */
const UNLIMITED = {
  HYPOCAUST_RATE_LIMIT_READS: '0',
  HYPOCAUST_RATE_LIMIT_WRITES: '0',
  HYPOCAUST_MAX_CONNECTIONS: '10000',
  HYPOCAUST_MAX_CONNECTIONS_PER_ADDRESS: '10000',
}
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

interface Figures {
  clients: number
  accounts: number
  rounds: number
  /** From the PATCH being sent to an answer being read, in milliseconds. */
  answeredMs: { p50: number; p99: number; last: number }
  memoryMb: { before: number; waiting: number; after: number }
}

/** All clients wait; in each round the first house is changed through the other process. */
async function measure(world: World, other: ServiceProcess, houses: House[]): Promise<Figures> {
  const memory = async () => Math.round((await world.service.figures()).residentBytes / 1e6)
  const before = await memory()
  const clients = Array.from({ length: CLIENTS }, (_, i) => houses[i % houses.length] as House)
  const cursors = await Promise.all(clients.map(async (house) => (await changes(world.service.url, house)).cursor))
  const target = houses[0] as House
  const concerned = clients.filter((house) => house === target).length
  const answered: number[] = []
  let waitingMb = 0
  const stop = new AbortController()
  let onAnswer = (_atMs: number) => {}
  const waits = clients.map((house, i) =>
    follow(world.service.url, house, cursors[i] as string, (atMs) => onAnswer(atMs), stop.signal),
  )
  for (let round = 0; round < ROUNDS; round++) {
    await idle()
    waitingMb = await memory()
    const { promise, resolve } = Promise.withResolvers<void>()
    let left = concerned
    const sentMs = performance.now()
    onAnswer = (atMs) => {
      answered.push(atMs - sentMs)
      if (--left === 0) resolve()
    }
    await patch(other.url, target, round)
    await promise
  }
  stop.abort()
  await Promise.all(waits)
  answered.sort((a, b) => a - b)
  const at = (share: number) =>
    Math.round(answered[Math.min(answered.length - 1, Math.floor(share * answered.length))] ?? 0)
  return {
    clients: CLIENTS,
    accounts: houses.length,
    rounds: ROUNDS,
    answeredMs: { p50: at(0.5), p99: at(0.99), last: at(1) },
    memoryMb: { before, waiting: waitingMb, after: await memory() },
  }
}

/** Waits again and again, as an integration does. */
async function follow(
  base: string,
  house: House,
  first: string,
  onAnswer: (atMs: number) => void,
  signal: AbortSignal,
) {
  for (let since = first; !signal.aborted; ) {
    const answer = await changes(base, house, `?since=${since}&wait=50`, signal).catch((error: Error) => {
      if (!signal.aborted) throw error
    })
    if (!answer) return
    since = answer.cursor
    if (answer.buildings.length > 0) onAnswer(performance.now())
  }
}

/** The answers of the round before have led to new waits. */
const idle = () => new Promise((resolve) => setTimeout(resolve, 1500))

const changes = (base: string, house: House, query = '', signal?: AbortSignal): Promise<Changes> =>
  call(base, house, 'GET', `/v1/changes${query}`, undefined, signal)

const patch = (base: string, house: House, round: number): Promise<Room> =>
  call(base, house, 'PATCH', `/v1/buildings/${house.buildingId}/rooms/${house.roomIds[0]}`, {
    target_temperature: 18 + (round % 10) / 2,
  })

function call<T>(
  base: string,
  house: House,
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': house.key, ...(body && { 'content-type': 'application/json' }) }
    const sent = request(base + path, { method, agent, headers, ...(signal && { signal }) }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text))
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`))
      })
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

function lineOf({ clients, accounts, rounds, answeredMs, memoryMb }: Figures): string {
  return `${clients} clients of ${accounts} accounts, ${rounds} changes in another process: answered after ${answeredMs.p50} ms (p50), ${answeredMs.p99} ms (p99), ${answeredMs.last} ms (last); memory ${memoryMb.before} MB before, ${memoryMb.waiting} MB waiting, ${memoryMb.after} MB after`
}

await beginRun('disk')
const postgres = await startPostgres()
const mosquitto = await startMosquitto()
const world = await World.open('postgres', postgres, { role: 'api', mqttUrl: mosquitto.url, env: UNLIMITED })
const other = await world.another()
try {
  const database = await world.database()
  const houses = await fill(database, CLIENTS, () => {})
  await database.close()
  const one = houses.slice(0, 1)
  const figures = [await measure(world, other, one), await measure(world, other, houses)]
  console.log(values.json ? JSON.stringify(figures, null, 2) : figures.map(lineOf).join('\n'))
} finally {
  agent.destroy()
  await other.stop()
  await world.close()
  await mosquitto.stop()
  await postgres.stop()
}
