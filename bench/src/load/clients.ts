import { Agent, request } from 'node:http'
import type { House } from './houses.ts'

const MOST_UNDER_WAY = 2000

/** Programs that poll their buildings over kept connections, with a key and the tag of the last answer. */
export class Clients {
  readonly #url: URL
  readonly #houses: House[]
  readonly #agent: Agent
  readonly #tags = new Map<string, string>()
  #next = 0
  #underWay = 0
  sent = 0
  answered = 0
  notModified = 0
  /** Anything but 200 and 304, and what could not even be sent. */
  failed = 0
  latenciesMs: number[] = []

  constructor(url: string, houses: House[], connections: number) {
    this.#url = new URL(url)
    this.#houses = houses
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  poll(dueMs: number, { withTag = true } = {}): void {
    const house = this.#turn()
    const path = `/v1/buildings/${house.buildingId}/rooms`
    const tag = withTag ? this.#tags.get(path) : undefined
    void this.#ask(dueMs, 'GET', path, { 'x-api-key': house.key, ...(tag !== undefined && { 'if-none-match': tag }) })
  }

  patch(dueMs: number): void {
    const house = this.#turn()
    const path = `/v1/buildings/${house.buildingId}/rooms/${house.roomIds[0]}`
    const body = JSON.stringify({ target_temperature: 20 + (this.sent % 10) / 10 })
    void this.#ask(dueMs, 'PATCH', path, { 'x-api-key': house.key, 'content-type': 'application/json' }, body)
  }

  get outstanding(): number {
    return this.#underWay
  }

  reset(): void {
    this.latenciesMs = []
    this.sent = this.answered = this.notModified = this.failed = 0
  }

  close(): void {
    this.#agent.destroy()
  }

  #turn(): House {
    return this.#houses[this.#next++ % this.#houses.length] as House
  }

  async #ask(
    dueMs: number,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<void> {
    this.sent++
    if (this.#underWay >= MOST_UNDER_WAY) {
      this.failed++
      return
    }
    this.#underWay++
    try {
      const { status, tag } = await this.#roundTrip(method, path, headers, body)
      if (status === 304) this.notModified++
      else if (status !== 200) this.failed++
      if (tag !== undefined) this.#tags.set(path, tag)
      if (status === 200 || status === 304) this.answered++
      this.latenciesMs.push(performance.now() - dueMs)
    } catch {
      this.failed++
    } finally {
      this.#underWay--
    }
  }

  #roundTrip(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<{ status: number; tag: string | undefined }> {
    const { hostname, port } = this.#url
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method, path, headers, agent: this.#agent }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, tag: answer.headers.etag }))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}
