import { Agent, type RequestOptions, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadTimeUs } from '../load/cpu.ts'
import type { Fleet } from '../load/gateways.ts'
import { type House, MESSAGES_PER_MINUTE } from '../load/houses.ts'
import { atRate } from '../load/pace.ts'
import type { World } from '../load/world.ts'
import { alternate, type Figure, figureOf } from './rounds.ts'

/** As the Home Assistant integration waits (`const.py`). */
const WAIT_S = 50
const BETWEEN_CHANGES_MS = 1000
const DRAIN_LIMIT_MS = 20_000
/** All houses come at once in the beginning, which a busy machine refuses some of. */
const RETRY_MS = 2000

/** Who reads the houses while their gateways report: nobody, or a Home Assistant for each of them. */
const READERS = {
  nobody: async () => {},
  state: followState,
  /** As the integration read before there was one state: its parts, and the outlook of each room that changed. */
  parts: followParts,
} as const

type Readers = keyof typeof READERS

/** Of a house in a minute. */
interface HouseMinute {
  serviceMs: Figure
  databaseMs: Figure
  requests: Figure
}

export interface HouseExtent {
  turns: number
  seconds: number
}

/** All that the service does for a house in a minute: its readings, its control, and what Home Assistant asks. */
export async function measureHouseMinutes(
  { world, fleet, houses }: { world: World; fleet: Fleet; houses: House[] },
  { turns, seconds }: HouseExtent,
): Promise<Record<Readers, HouseMinute>> {
  const names = Object.keys(READERS) as Readers[]
  const spent = new Map(names.map((name) => [name, [] as { databaseMs: number; requests: number }[]]))
  const perHouseMinute = 60 / seconds / houses.length
  const contestants = names.map((name) => ({
    name,
    async round() {
      const client = new Client(world.service.url)
      const leaving = new AbortController()
      const readers = houses.map((house) => READERS[name](client, house, leaving.signal).catch(ended(leaving.signal)))
      await client.quiet()
      const before = { serviceUs: threadTimeUs(world.service.pid), databaseS: world.databaseCpuS(), ...client.count }
      await atRate((houses.length * MESSAGES_PER_MINUTE) / 60, seconds, (dueMs) => fleet.send(dueMs))
      await fleet.drained(DRAIN_LIMIT_MS)
      const serviceMs = ((threadTimeUs(world.service.pid) - before.serviceUs) / 1000) * perHouseMinute
      spent.get(name)?.push({
        databaseMs: (world.databaseCpuS() - before.databaseS) * 1000 * perHouseMinute,
        requests: (client.count.answered - before.answered) * perHouseMinute,
      })
      leaving.abort()
      client.close()
      await Promise.all(readers)
      return serviceMs
    },
  }))
  const services = await alternate(contestants, turns)
  const minuteOf = (name: Readers): HouseMinute => {
    // The first round of each is not counted.
    const others = spent.get(name)?.slice(1) ?? []
    return {
      serviceMs: figureOf(services.get(name) ?? []),
      databaseMs: figureOf(others.map(({ databaseMs }) => databaseMs)),
      requests: figureOf(others.map(({ requests }) => requests)),
    }
  }
  return { nobody: minuteOf('nobody'), state: minuteOf('state'), parts: minuteOf('parts') }
}

const ended = (leaving: AbortSignal) => (error: Error) => {
  if (!leaving.aborted) throw error
}

async function followState(client: Client, { buildingId, key }: House, leaving: AbortSignal): Promise<void> {
  while (!leaving.aborted) {
    const { status } = await client.get(key, `/v1/buildings/${buildingId}/state?wait=${WAIT_S}`)
    if (status === 200) await sleep(BETWEEN_CHANGES_MS)
  }
}

async function followParts(client: Client, { buildingId, roomIds, key }: House, leaving: AbortSignal): Promise<void> {
  const building = `/v1/buildings/${buildingId}`
  for (let cursor = ''; !leaving.aborted; ) {
    const paths = [building, `${building}/rooms`, `${building}/alerts`, `${building}/away`]
    const [, rooms] = await Promise.all(paths.map((path) => client.get(key, path)))
    if (rooms?.status === 200)
      await Promise.all(roomIds.map((roomId) => client.get(key, `${building}/rooms/${roomId}/outlook`)))
    const { body } = await client.get(key, `/v1/changes?wait=${WAIT_S}${cursor && `&since=${cursor}`}`)
    cursor = JSON.parse(body).cursor
    await sleep(BETWEEN_CHANGES_MS)
  }
}

/** Keeps its connections, and the tag of each answer. */
class Client {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true })
  readonly #kept = new Map<string, { tag: string; body: string }>()
  readonly count = { answered: 0 }
  #isClosed = false

  constructor(url: string) {
    this.#url = new URL(url)
  }

  /** Resolves when everybody waits for something to change. */
  async quiet(): Promise<void> {
    for (let before = -1; before !== this.count.answered; await sleep(2 * BETWEEN_CHANGES_MS))
      before = this.count.answered
  }

  async get(key: string, path: string): Promise<{ status: number; body: string }> {
    const address = `${key} ${path}`
    const kept = this.#kept.get(address)
    const { hostname, port } = this.#url
    const headers = { 'x-api-key': key, ...(kept && { 'if-none-match': kept.tag }) }
    const { status, tag, body } = await this.#ask({ hostname, port, path, headers, agent: this.#agent })
    if (status === 503) {
      await sleep(RETRY_MS)
      return this.get(key, path)
    }
    if (status !== 200 && status !== 304) throw new Error(`${path}: ${status} ${body}`)
    this.count.answered++
    if (status === 200 && tag) this.#kept.set(address, { tag, body })
    return { status, body: status === 304 ? (kept?.body ?? body) : body }
  }

  #ask(options: RequestOptions): Promise<{ status: number; tag: string; body: string }> {
    return new Promise((resolve, reject) => {
      const asked = request(options, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, tag: answer.headers.etag ?? '', body: text }))
        answer.on('error', reject)
      })
      const failed = (error: NodeJS.ErrnoException) => {
        // The service may close an idle connection in the moment in which it is used again.
        if (error.code === 'ECONNRESET' && asked.reusedSocket && !this.#isClosed) resolve(this.#ask(options))
        else reject(error)
      }
      asked.on('error', failed).end()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#agent.destroy()
  }
}
