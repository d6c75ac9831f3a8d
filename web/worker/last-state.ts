import { DAY_MS } from '@hypocaust/domain/facts'
import { keptUnder } from './kept.ts'

/** The page deletes it when its user signs out. */
const CACHE = 'last-state'
const LONGEST_KEPT_MS = 14 * DAY_MS
const MOST_KEPT = 200
const PATIENCE_MS = 5000

/** From the network; what was kept only when nothing comes, or not soon. */
export async function answerOrLastState({ request }: FetchEvent, answer: Promise<Response>): Promise<Response> {
  const soon = await Promise.race([answer.catch(() => undefined), later(PATIENCE_MS)])
  return soon ?? (await lastState(request)) ?? answer
}

/**
 * Opened before the request is sent. Deleting it at the sign-out parts it from its name, so what is put into it
 * afterwards is found by nobody.
 */
export function openLastState(): Promise<Cache> {
  return caches.open(CACHE)
}

/** At most so many are kept; a worker that has just started does not know. Listing them takes longer than keeping one. */
let mayBeKept = Number.POSITIVE_INFINITY

export async function keep({ url }: Request, answer: Response, opened: Promise<Cache>): Promise<void> {
  if (answer.status !== 200) return
  const copy = answer.clone()
  await (await opened).put(keptUnder(url, Date.now()), copy)
  mayBeKept++
  while (mayBeKept > MOST_KEPT) {
    // What is put meanwhile is counted too.
    mayBeKept = 0
    const cache = await openLastState()
    // The one put last is the last of them.
    const addresses = await cache.keys()
    for (const address of addresses.slice(0, -MOST_KEPT)) await cache.delete(address)
    mayBeKept += Math.min(addresses.length, MOST_KEPT)
  }
}

async function lastState({ url }: Request): Promise<Response | undefined> {
  const kept = await (await openLastState()).match(keptUnder(url, Date.now()))
  const sentMs = Date.parse(kept?.headers.get('date') ?? '')
  return Date.now() - sentMs < LONGEST_KEPT_MS ? kept : undefined
}

function later(delayMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), delayMs))
}
