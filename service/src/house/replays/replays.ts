import { Worker } from 'node:worker_threads'
import type {
  CompareTask,
  Comparison,
  DesignTask,
  Examination,
  Examined,
  HeatSource,
  History,
  HouseDesign,
  LimitedRoom,
  LimitPromise,
  PowerLimit,
  RoomControl,
  RoomSavings,
  RoomSettings,
  RoomsOffer,
  Shadow,
} from '@hypocaust/control'
import { errors } from '../../base/errors.ts'
import { TaskThread } from '../../base/task-thread.ts'
import { threadEnv } from '../../base/thread-env.ts'

interface Location {
  lat: number
  lng: number
}

export type ReplayTask =
  | { kind: 'shadow' | 'savings'; room: RoomControl; history: History; settings: RoomSettings }
  | { kind: 'design'; task: DesignTask }
  | { kind: 'flexibility'; rooms: LimitedRoom[]; source: HeatSource | null; nowMs: number }
  | { kind: 'limit'; rooms: LimitedRoom[]; limit: PowerLimit; source: HeatSource; nowMs: number }
  | { kind: 'examination'; rooms: ReadonlyMap<string, Examined>; location: Location; roomId: string; nowMs: number }
  | ({ kind: 'what-if'; prices: ReadonlyMap<number, number | null> | null } & CompareTask)

interface Answers {
  shadow: Shadow | null
  savings: RoomSavings
  design: HouseDesign | null
  flexibility: RoomsOffer[] | null
  limit: LimitPromise | null
  examination: Examination | null
  'what-if': Comparison
}
type Answer<Task extends ReplayTask> = Answers[Task['kind']]

const MOST_WAITING = 8
/** Pages wait for twenty seconds. */
const MOST_MS = 15_000

/** Replays of rooms on a thread of its own, one at a time: one takes seconds, and polling must not wait. */
export class Replays {
  readonly #thread = new TaskThread<ReplayTask, unknown>(
    () => new Worker(new URL('./replay-thread.ts', import.meta.url), { env: threadEnv() }),
  )
  #before: Promise<unknown> = Promise.resolve()
  #waiting = 0
  readonly #stopping = new AbortController()
  readonly #mostMs: number

  constructor(mostMs = MOST_MS) {
    this.#mostMs = mostMs
  }

  async ask<const Task extends ReplayTask>(task: Task): Promise<Answer<Task>> {
    if (this.#waiting >= MOST_WAITING) throw errors.overloaded()
    this.#waiting += 1
    const mine = this.#before.then(() => this.#replay(task))
    this.#before = mine.catch(() => undefined)
    try {
      return (await mine) as Answer<Task>
    } finally {
      this.#waiting -= 1
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#before
    await this.#thread.end()
  }

  async #replay(task: ReplayTask): Promise<unknown> {
    try {
      const givenUp = AbortSignal.any([AbortSignal.timeout(this.#mostMs), this.#stopping.signal])
      return await this.#thread.run(task, givenUp)
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw errors.overloaded()
      throw error
    }
  }
}
