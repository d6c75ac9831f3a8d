import type { Clock } from '../../../base/clock.ts'
import { stampOf } from '../../../house/buildings/stamps.ts'
import type { RevisionWaits } from '../../../house/revision-waits.ts'
import { cursorOfMarks, markOf, marksIn } from '../../../people/changes/cursor.ts'
import type { StampedBuilding } from '../../../people/keys/reach.ts'
import type { BuildingStates, KeptState } from './building-states.ts'
import type { KeptAnswer } from './kept-answer.ts'
import { STATE_PARTS } from './schemas.ts'

interface StreamParts {
  clock: Clock
  states: Pick<BuildingStates, 'of' | 'bill'>
  /** By the ids of buildings. */
  revisions: RevisionWaits
  /** By the ids of keys. */
  reaches: RevisionWaits
  heartbeatMs?: number
}

/** On whose behalf a stream is open. */
export interface StreamReader {
  keyId: string
  /** Of what the key reaches, and the buildings that are followed; undefined where the stream has to end. */
  reached(): Promise<{ revision: string; buildings: StampedBuilding[] } | undefined>
  /** How long to pause before the next event where the budget is used up. */
  pay(units: number): Promise<{ pauseMs: number } | 'paid'>
  /** Work that has to wait for its turn among that of the same key. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  lastEventId: string | undefined
  signal: AbortSignal
}

/** What a client has of a building before the first event about it. */
const UNKNOWN = STATE_PARTS.map(() => '......')
const HEARTBEAT_MS = 15_000
const RETRY_MS = 3000
/** Then it is looked again whether the key has ended, before anything more is sent. */
const REACHED_FOR_MS = 1000

interface Held {
  marks: string[]
  /** Of the state that was last compared. */
  stamp: string
  untilMs: number
}

/**
 * Server-sent events: the buildings that the reader follows, then what differs in their states from what the reader
 * has. The id of an event stands for all that the reader has then, so any process can go on after it, also after a
 * restart. A reader that is slow, or whose budget is used up, is sent later what has changed by then.
 */
export async function* stateEvents(parts: StreamParts, reader: StreamReader): AsyncGenerator<string, void, void> {
  const { clock, states, heartbeatMs = HEARTBEAT_MS } = parts
  const { signal, inTurn } = reader
  const held = new Map<string, Held>()
  let followed: string | undefined
  let sentMs = performance.now()
  yield `retry: ${RETRY_MS}\n\n`
  while (!signal.aborted) {
    const reached = await inTurn(reader.reached)
    if (!reached) return
    const { revision, buildings } = reached
    const reachedMs = clock.elapsedMs()
    const ids = buildings.map(({ id }) => id)
    const scope = JSON.stringify(ids)
    const idNow = () =>
      idOf(
        scope,
        ids.flatMap((id) => held.get(id) ?? []),
      )
    if (scope !== followed) {
      const known =
        followed === undefined ? marksIn(reader.lastEventId, scope, ids.length * STATE_PARTS.length + 1) : undefined
      followBuildings(held, ids, known)
      followed = scope
      if (!known) yield eventOf('buildings', idNow(), JSON.stringify({ building_ids: ids }))
    }
    let pauseMs = 0
    let isLate = false
    for (const building of buildings) {
      // A reader that takes its time may have lost its key in the middle.
      isLate = clock.elapsedMs() - reachedMs > REACHED_FOR_MS
      if (isLate) break
      const before = held.get(building.id)
      if (!before || signal.aborted) break
      if (before.stamp === stampOf(building) && clock.now() < before.untilMs) continue
      const state = await inTurn(() => states.of(building))
      if (!state) continue
      const now = partsOf(state)
      const changed = now.filter(({ tag }, i) => tag !== before.marks[i])
      const payment = changed.length > 0 ? await reader.pay(1 + states.bill(state)) : 'paid'
      if (payment !== 'paid') {
        pauseMs = payment.pauseMs
        break
      }
      held.set(building.id, { marks: now.map(({ tag }) => tag), stamp: state.stamp, untilMs: state.untilMs })
      if (changed.length === 0) continue
      yield eventOf('state', idNow(), dataOf(building.id, changed, state))
      sentMs = performance.now()
    }
    if (isLate) continue
    const heartbeatInMs = sentMs + heartbeatMs - performance.now()
    if (heartbeatInMs <= 0) {
      yield ':\n\n'
      sentMs = performance.now()
    }
    await news(parts, reader, { revision, held, pauseMs, mostMs: heartbeatInMs <= 0 ? heartbeatMs : heartbeatInMs })
  }
}

/** Its last mark is of the revisions: a state that comes back to what it was is another event. */
const idOf = (scope: string, held: Held[]): string =>
  cursorOfMarks(scope, [...held.flatMap(({ marks }) => marks), markOf(held.map(({ stamp }) => stamp).join())])

/** Those that stay keep what is known of them. */
function followBuildings(held: Map<string, Held>, ids: string[], known: string[] | undefined): void {
  for (const id of held.keys()) if (!ids.includes(id)) held.delete(id)
  ids.forEach((id, i) => {
    const marks = known?.slice(i * STATE_PARTS.length, (i + 1) * STATE_PARTS.length) ?? UNKNOWN
    if (!held.has(id)) held.set(id, { marks, stamp: '', untilMs: 0 })
  })
}

interface NewsWait {
  revision: string
  held: Map<string, Held>
  pauseMs: number
  mostMs: number
}

/** Until something may have changed, the key has ended, or it is time for a heartbeat. */
async function news(
  { clock, revisions, reaches }: StreamParts,
  { keyId, signal }: StreamReader,
  { revision, held, pauseMs, mostMs }: NewsWait,
): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  const turnInMs = Math.min(...[...held.values()].map(({ untilMs }) => untilMs)) - clock.now()
  const waitMs = Math.max(1, Math.min(mostMs, pauseMs > 0 ? pauseMs : turnInMs))
  const ofKey = reaches.another(keyId, revision, waitMs, over.signal)
  const ofBuildings = pauseMs > 0 ? [] : [...held]
  await Promise.race([
    ofKey,
    ...ofBuildings.map(([id, { stamp }]) => revisions.another(id, stamp, waitMs, over.signal)),
  ])
  signal.removeEventListener('abort', end)
  end()
}

const made = new WeakMap<KeptState, KeptAnswer[]>()

/** Each part as it stands in the state; worked out once for all streams. */
function partsOf(state: KeptState): KeptAnswer[] {
  const known = made.get(state)
  if (known) return known
  const all = JSON.parse(state.text) as Record<string, unknown>
  const parts = STATE_PARTS.map((name) => {
    const text = `"${name}":${JSON.stringify(all[name])}`
    return { text, tag: markOf(text) }
  })
  made.set(state, parts)
  return parts
}

function dataOf(buildingId: string, changed: KeptAnswer[], { tag }: KeptState): string {
  const members = [`"building_id":"${buildingId}"`, ...changed.map(({ text }) => text), `"revision":${tag}`]
  return `{${members.join(',')}}`
}

const eventOf = (name: string, id: string, data: string): string => `event: ${name}\nid: ${id}\ndata: ${data}\n\n`
