import { type Candidate, findRoom, isAnswered, type Search, safeShare } from '@hypocaust/control'
import { MINUTE_MS } from '@hypocaust/domain'
import { type EndReason, openingOf, openTrial, type Trial, type TrialRun } from '../loop-run/run.ts'

export interface SeenRoom extends Omit<Candidate, 'earlier'> {
  /** Of its newest readings, where they are fresh. */
  airC: number | null
  floorC: number | null
}

/** What a run goes by. */
export interface Seen {
  rooms: SeenRoom[]
  outdoorC: number
  location: Search['location']
  /** Whether the gateway reports. */
  isReached(gatewayId: string): boolean
}

/** Rooms are not left to cool further than this for a search, nor to warm further. */
export const AIR_C = { coldest: 10, warmest: 29 }
/** A longer pause of the service or of a gateway: what flowed meanwhile is not known, and the loop begins anew. */
const LONGEST_PAUSE_MS = 20 * MINUTE_MS
const UNKNOWN_AIR_C = 20

/** A run one look further. */
export function advanceRun(run: TrialRun, seen: Seen, nowMs: number): TrialRun {
  if (run.ended) return run
  const because = reasonToEnd(run, seen, nowMs)
  if (because) return endRun(run, because, nowMs)
  return run.kind === 'test' ? { ...run, lookedMs: nowMs } : advanceSearch(run, seen, nowMs)
}

export const endRun = (run: TrialRun, because: EndReason, nowMs: number): TrialRun => ({
  ...run,
  lookedMs: nowMs,
  trials: run.trials.map((trial) => (trial === openTrial(run) ? { ...trial, closedMs: nowMs } : trial)),
  ended: { atMs: nowMs, because },
})

function reasonToEnd(run: TrialRun, { rooms }: Seen, nowMs: number): EndReason | null {
  if (run.untilMs !== null && nowMs >= run.untilMs) return 'finished'
  if (run.kind === 'test') return isFloorHot(rooms) ? 'floor_limit' : null
  const air = rooms.flatMap(({ airC }) => airC ?? [])
  if (air.some((airC) => airC < AIR_C.coldest)) return 'cold'
  return air.some((airC) => airC > AIR_C.warmest) ? 'hot' : null
}

function advanceSearch(run: TrialRun, seen: Seen, nowMs: number): TrialRun {
  const looked = { ...run, lookedMs: nowMs }
  const current = openTrial(run)
  if (!current) return opened(looked, seen, nowMs)
  if (!seen.isReached(current.gatewayId)) return { ...looked, lookedMs: run.lookedMs }
  if (nowMs - run.lookedMs > LONGEST_PAUSE_MS) return begunAnew(looked, current, nowMs)
  const search = searchOf(run, current, seen, nowMs)
  const finding = findRoom(search)
  const isOver = isAnswered(finding, search) || isFloorHot(seen.rooms)
  const next = withTrial(looked, current, { finding, ...(isOver && { closedMs: nowMs }) })
  return isOver ? opened(next, seen, nowMs) : next
}

/** With the next loop open, or at its end. */
function opened(run: TrialRun, seen: Seen, nowMs: number): TrialRun {
  const next = run.trials.find(({ openedMs }) => openedMs === null)
  if (!next) return endRun(run, 'finished', nowMs)
  const airC = Math.max(UNKNOWN_AIR_C, ...seen.rooms.flatMap((room) => room.airC ?? []))
  const power = safeShare(seen.rooms, airC, seen.outdoorC)
  return withTrial(run, next, { openedMs: nowMs, power })
}

const begunAnew = (run: TrialRun, current: Trial, nowMs: number): TrialRun => ({
  ...withTrial(run, current, { openedMs: nowMs, finding: null }),
  sinceMs: nowMs,
})

function searchOf(run: TrialRun, current: Trial, seen: Seen, nowMs: number): Search {
  const done = run.trials.filter(({ closedMs }) => closedMs !== null && closedMs > run.sinceMs)
  const candidates = seen.rooms.map((room) => ({
    ...room,
    earlier: done.filter(({ finding }) => finding?.roomId === room.roomId).map((trial) => openingOf(trial, nowMs)),
  }))
  const { sinceMs } = run
  const { outdoorC, location } = seen
  return { candidates, sinceMs, opening: openingOf(current, nowMs), nowMs, outdoorC, location }
}

const withTrial = (run: TrialRun, trial: Trial, change: Partial<Trial>): TrialRun => ({
  ...run,
  trials: run.trials.map((each) => (each === trial ? { ...each, ...change } : each)),
})

const isFloorHot = (rooms: SeenRoom[]): boolean =>
  rooms.some(({ floorC, maxFloorC }) => floorC !== null && floorC >= maxFloorC)
