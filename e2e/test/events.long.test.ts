import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@hypocaust/service'
import { start } from '@hypocaust/testing/command.ts'
import { ENGINES, type Engine, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { EventReader, type SentEvent } from '@hypocaust/testing/event-reader.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { Killable } from '@hypocaust/testing/killable.ts'
import { LIVES } from '@hypocaust/testing/lives.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const CHANGES = 200
const FIRST_TARGET_C = 7
const targetOf = (change: number): number => FIRST_TARGET_C + change / 10

/** Reads events over as many connections as it takes, each after the last event of the one before. */
class Follower {
  readonly events: SentEvent[] = []
  connections = 0
  readonly #service: Killable
  readonly #key: string
  #reader: EventReader | undefined
  #isDone = false

  constructor(service: Killable, key: string) {
    this.#service = service
    this.#key = key
  }

  async run(): Promise<void> {
    while (!this.#isDone) {
      const after = this.events.at(-1)?.id
      try {
        this.#reader = await EventReader.open(this.#service.url, this.#key, after === undefined ? {} : { after })
        if (this.#reader.answer.ok) this.connections++
        for (let event = await this.#reader.next(); event; event = await this.#reader.next()) this.events.push(event)
      } catch {
        // The service is down at the moment.
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  end(): void {
    this.#isDone = true
    this.#reader?.close()
  }
}

const statesIn = (events: SentEvent[]) => events.filter(({ name }) => name === 'state').map(({ data }) => data)

/** Each target that a room has had, in the order in which it was shown. */
function targetsOf(events: SentEvent[], roomId: string): number[] {
  const all = statesIn(events).flatMap(({ rooms = [] }) =>
    rooms.flatMap((room: { id: string; target_temperature: number }) =>
      room.id === roomId ? [room.target_temperature] : [],
    ),
  )
  return all.filter((target, i) => target !== all[i - 1])
}

/** Parts that came again although nothing in them had changed. */
function repeatedIn(events: SentEvent[]): string[] {
  const held = new Map<string, string>()
  return statesIn(events).flatMap(({ building_id: _, revision: __, ...parts }) =>
    Object.entries(parts).flatMap(([name, part]) => {
      const text = JSON.stringify(part)
      const isRepeated = held.get(name) === text
      held.set(name, text)
      return isRepeated ? [name] : []
    }),
  )
}

describe.each(ENGINES)('a client of events while the service is killed again and again, on %s', (engine) => {
  let folder: string
  let store: TestStore
  let holder: Holder
  /** On PostgreSQL one process is written to and another is followed. */
  let written: Killable
  let followed: Killable
  let follower: Follower
  let following: Promise<void>

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hypocaust-events-'))
    store = await openTestStore(engine)
    holder = await settleHolder(store.store, systemClock, 'ada@example.org', HOUSE)
    written = await service(engine)
    followed = engine === 'postgres' ? await service(engine) : written
    follower = new Follower(followed, holder.readKey)
    following = follower.run()
    await eventually(() => statesIn(follower.events).length > 0)
  })

  afterEach(async () => {
    follower.end()
    await following
    await Promise.all([written.kill(), followed.kill()])
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function service(of: Engine): Promise<Killable> {
    const [port, mqttPort] = [await freePort(), await freePort()]
    const own = of === 'postgres' ? ['--role', 'api'] : ['--mqtt-port', String(mqttPort)]
    const flags = ['--data', of === 'postgres' ? 'data' : store.folder, '--port', String(port), '--log-level', 'error']
    const env = {
      ...(of === 'postgres' && { HYPOCAUST_DATABASE_URL: store.url }),
      ...{ HYPOCAUST_RATE_LIMIT_WRITES: '0', HYPOCAUST_RATE_LIMIT_READS: '0' },
    }
    const made = new Killable(() => start(folder, ['serve', ...own, ...flags], env))
    await made.serve()
    return made
  }

  const roomId = () => holder.roomIds[0] as string

  /** Sent again until it was answered: it may have been done when the service died. */
  const change = async (target: number) =>
    eventually(async () => {
      const answer = await fetch(`${written.url}/v1/buildings/${holder.buildingId}/rooms/${roomId()}`, {
        method: 'PATCH',
        headers: { 'x-api-key': holder.writeKey, 'content-type': 'application/json' },
        body: JSON.stringify({ target_temperature: target }),
      }).catch(() => undefined)
      return answer?.ok
    })

  const shows = (target: number) => eventually(() => targetsOf(follower.events, roomId()).at(-1) === target)

  /** Each kill between another change and its event. */
  const isKilledAt = (i: number) => (i + 1) % Math.floor(CHANGES / (LIVES + 1)) === 0

  test(`each of ${CHANGES} changes is shown once, in their order`, { timeout: 600_000 }, async () => {
    for (let i = 0; i < CHANGES; i++) {
      await change(targetOf(i))
      if (isKilledAt(i)) {
        await followed.kill()
        await followed.serve()
      }
      await shows(targetOf(i))
    }
    const targets = targetsOf(follower.events, roomId())
    expect(targets.slice(-CHANGES)).toEqual(Array.from({ length: CHANGES }, (_, i) => targetOf(i)))
    expect(repeatedIn(follower.events)).toEqual([])
    expect(new Set(follower.events.map(({ id }) => id)).size).toBe(follower.events.length)
    expect(follower.connections).toBeGreaterThan(LIVES)
  })

  test(`of ${CHANGES} changes that do not wait for the client none comes out of order, and the last is shown`, {
    timeout: 600_000,
  }, async () => {
    for (let i = 0; i < CHANGES; i++) {
      await change(targetOf(i))
      if (!isKilledAt(i)) continue
      await followed.kill()
      await followed.serve()
    }
    await shows(targetOf(CHANGES - 1))
    const targets = targetsOf(follower.events, roomId()).slice(1)
    expect(targets).toEqual(targets.toSorted((a, b) => a - b))
    expect(repeatedIn(follower.events)).toEqual([])
    const headers = { 'x-api-key': holder.readKey }
    await eventually(async () => {
      const state = (await (
        await fetch(`${followed.url}/v1/buildings/${holder.buildingId}/state`, { headers })
      ).json()) as object
      const { building_id: _, ...merged } = Object.assign({}, ...statesIn(follower.events)) as Record<string, unknown>
      return JSON.stringify(Object.entries(merged).sort()) === JSON.stringify(Object.entries(state).sort())
    })
  })
})
