import { setTimeout as sleep } from 'node:timers/promises'
import type { SettledHouse } from '../test/installation.ts'
import type { SecureClient } from '../test/secure-client.ts'
import { Course } from './course.ts'

const READ_EVERY_MS = 100
const WRITE_PAUSE_MS = 150
/** As an integration gives up. */
const LIMIT_MS = 10_000

/** What callers of one kind saw. */
export class Seen {
  readonly course = new Course()
  /** 503 in the agreed form, which says when to come back. */
  refused = 0
  /** No answer: the connection broke, or nothing came in time. */
  unanswered = 0
  readonly complaints: string[] = []
}

interface Question {
  method: 'GET' | 'PATCH'
  path: string
  key: string
  body?: object
}

async function ask(client: SecureClient, { method, path, key, body }: Question, seen: Seen): Promise<boolean> {
  try {
    const headers = { 'x-api-key': key }
    const { status, text } = await client.ask(method, path, headers, body, AbortSignal.timeout(LIMIT_MS))
    const isRefused = status === 503 && text.startsWith('{"error":{"code":"unavailable"')
    if (status === 200) seen.course.success()
    else if (isRefused) seen.refused++
    else seen.complaints.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
    return status === 200
  } catch {
    seen.unanswered++
    return false
  }
}

/** Asks for its rooms at a pace of its own, whether or not the last question has been answered. */
export class Reader {
  readonly #timer: NodeJS.Timeout

  constructor(client: SecureClient, { buildingId, readKey }: SettledHouse, seen: Seen) {
    const question: Question = { method: 'GET', path: `/v1/buildings/${buildingId}/rooms`, key: readKey }
    this.#timer = setInterval(() => void ask(client, question, seen), READ_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Gives its room one name after the other, each of which the change log then holds once. */
export class Writer {
  readonly roomId: string
  readonly acknowledged: string[] = []
  #isOver = false
  readonly #done: Promise<void>

  constructor(client: SecureClient, { buildingId, writeKey }: SettledHouse, roomId: string, seen: Seen) {
    this.roomId = roomId
    const path = `/v1/buildings/${buildingId}/rooms/${roomId}`
    this.#done = (async () => {
      for (let n = 0; !this.#isOver; n++) {
        const name = `n${n}`
        const isDone = await ask(client, { method: 'PATCH', path, key: writeKey, body: { name } }, seen)
        if (isDone) this.acknowledged.push(name)
        await sleep(WRITE_PAUSE_MS)
      }
    })()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
  }
}
