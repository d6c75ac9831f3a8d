import { once } from 'node:events'
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
/** Loading the thread takes a while; the next question often comes soon. */
const KEPT_MS = 60_000

/** Replays of rooms on a thread of its own, one at a time: one takes seconds, and polling must not wait. */
export class Replays {
  #worker: Worker | undefined
  #end: NodeJS.Timeout | undefined
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
    clearTimeout(this.#end)
    await this.#worker?.terminate()
  }

  async #replay(task: ReplayTask): Promise<unknown> {
    clearTimeout(this.#end)
    this.#worker ??= new Worker(new URL('./replay-thread.ts', import.meta.url), { env: threadEnv() })
    const worker = this.#worker
    worker.ref()
    worker.postMessage(task)
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(this.#mostMs), this.#stopping.signal])
      const [answer] = await once(worker, 'message', { signal })
      this.#keep(worker)
      return answer
    } catch (error) {
      this.#worker = undefined
      await worker.terminate()
      if ((error as Error).name === 'AbortError') throw errors.overloaded()
      throw error
    }
  }

  /** It does not keep the process from ending. */
  #keep(worker: Worker): void {
    worker.unref()
    this.#end = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
    }, KEPT_MS).unref()
  }
}
