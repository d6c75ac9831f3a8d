import type { IncomingHttpHeaders } from 'node:http'
import type { Room, RoomPatch } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../../base/clock.ts'
import { ServiceError } from '../../../base/errors.ts'
import type { Metrics } from '../../../base/metrics.ts'
import { actingAs } from '../../../house/change-log/actor.ts'
import { requireFields } from '../../../house/membership.ts'
import { patchRoom } from '../../../house/rooms/manage.ts'
import { roomView } from '../../../house/rooms/view.ts'
import { type Asker, authenticate, noteUse } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { JSON_UTF8, jsonIn } from '../body.ts'
import { bodyOf, translateAndLog } from '../errors.ts'
import { CACHE_CONTROL, tagOf } from '../etag.ts'
import { requestIdOf } from '../incoming.ts'
import type { RateLimits, Spending } from '../limits.ts'
import type { Shedding } from '../shedding.ts'
import { actorOf, leftHeader, logChange, requireReach, requireWriteKey } from './access.ts'
import { type Answer, type FixedHeaders, fixedHeaders } from './answer.ts'

export const CHANGED_ROUTE = '/buildings/:buildingId/rooms/:roomId'
export const CHANGE_ACTIONS = ['steer'] as const

export interface RoomChange {
  /** As it was sent. */
  path: string
  /** In lower case, as the next. */
  buildingId: string
  roomId: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface RoomChangeParts {
  store: Store
  clock: Clock
  limits: RateLimits
  shedding: Shedding
  metrics: Metrics
  logger: Logger
  isPatch(body: unknown): body is RoomPatch
  onBuildingChanged(buildingId: string): void
}

/**
 * What people do most, to change a room, answered before the framework as polls are. What is refused before it is charged
 * goes the ordinary way, which words it; from then on the change is tried once, and whatever comes of it is answered here.
 */
export class RoomChanges {
  readonly #parts: RoomChangeParts
  readonly #fixed: Record<'changed' | 'failed', FixedHeaders>

  constructor(parts: RoomChangeParts) {
    this.#parts = parts
    const json = { 'content-type': JSON_UTF8 }
    this.#fixed = {
      changed: fixedHeaders(parts.limits, 'write', { ...json, 'cache-control': CACHE_CONTROL }),
      failed: fixedHeaders(parts.limits, 'write', json),
    }
  }

  /** `done` gets undefined when the ordinary way is to be gone; nothing is changed or charged then. */
  answer(change: RoomChange, done: (answer: Answer | undefined) => void): void {
    if (!this.#parts.shedding.mayWrite()) return void done(undefined)
    const startedMs = performance.now()
    const release = this.#parts.shedding.count('write')
    void this.#answerTo(change).then((answer) => {
      release()
      if (answer) this.#observe(answer.status, startedMs)
      done(answer)
    })
  }

  async #answerTo(change: RoomChange): Promise<Answer | undefined> {
    const { store, clock, limits, logger } = this.#parts
    const requestId = requestIdOf(change.headers)
    const log = logger.child({ reqId: requestId })
    let spent: Spending | undefined
    try {
      const asker = await authenticate(store, clock, String(change.headers['x-api-key']), change.buildingId)
      const patch = asker && this.#patchOf(change, asker)
      if (!patch) return undefined
      noteUse(store, clock, asker.key, logger)
      if (limits.quota('write') !== 0) spent = await limits.spend(asker.key.id, 'write')
      if (spent?.exceeded) return undefined
      const text = JSON.stringify(await this.#changed(asker, change, patch))
      logChange(log, 'PATCH', change.path, asker.key)
      return this.#answerWith(200, text, ['etag', tagOf(text), ...ownHeaders(requestId, spent)])
    } catch (error) {
      const known = translateAndLog(error as Error, log)
      const headers = [...Object.entries(known.headers).flat(), ...ownHeaders(requestId, spent)]
      return this.#answerWith(known.status, JSON.stringify(bodyOf(known)), headers)
    }
  }

  /** Undefined for what the ordinary way refuses, by the same rules. */
  #patchOf({ body, buildingId, roomId }: RoomChange, { key, building }: Asker): RoomPatch | undefined {
    try {
      const patch = jsonIn(body)
      if (!this.#parts.isPatch(patch)) return undefined
      requireWriteKey(key)
      requireReach(building, { buildingId, roomId }, CHANGE_ACTIONS)
      requireFields(building.membership, patch)
      return patch
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  async #changed({ key, building }: Asker, { buildingId, roomId }: RoomChange, patch: RoomPatch): Promise<Room> {
    const { store, clock, onBuildingChanged } = this.#parts
    const scope = { buildingId, roomId }
    const room = await actingAs(actorOf(key, building), () => patchRoom(store, clock, scope, patch))
    onBuildingChanged(buildingId)
    return roomView(room, clock.now())
  }

  #answerWith(status: number, text: string, headers: string[]): Answer {
    const bytes = Buffer.byteLength(text)
    headers.push('content-length', String(bytes))
    const fixed = this.#fixed[status === 200 ? 'changed' : 'failed']
    return { status, headers, fixed, text, isAscii: bytes === text.length }
  }

  #observe(status: number, startedMs: number): void {
    const duration = this.#parts.metrics.httpDuration.labels('PATCH', `/v1${CHANGED_ROUTE}`, String(status))
    duration.observe((performance.now() - startedMs) / 1000)
  }
}

const ownHeaders = (requestId: string, spent: Spending | undefined): string[] => [
  ...['x-request-id', requestId],
  ...(spent ? ['ratelimit', leftHeader('write', spent)] : []),
]
