import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain/facts'
import { hash, type Random, seededRandom } from '@hypocaust/simulator'
import type { DiskFailure, DiskWork } from './disk.ts'

export type Machine = 'service' | 'gateway'

/** What goes wrong. Every fault names how long it lasts; afterwards all is to be well by itself. */
export type Fault =
  | { kind: 'crash'; of: Machine; downMs: number }
  | { kind: 'restart'; of: Machine; downMs: number }
  | { kind: 'reboot'; downMs: number; isClockSet: boolean }
  | { kind: 'disk'; of: Machine; work: DiskWork; failure: DiskFailure; after: number; times: number; downMs: number }
  | { kind: 'cut'; forMs: number }
  | { kind: 'break' }
  | { kind: 'bad line'; forMs: number; lost: number; twice: number; latencyMs: number }
  | { kind: 'clock'; of: Machine; byMs: number; forMs: number }
  | { kind: 'house broker'; forMs: number }
  | { kind: 'house noise'; forMs: number; lost: number }
  | { kind: 'relay box' }
  | { kind: 'silent sensor'; room: number; forMs: number }
  | { kind: 'cold'; room: number }

/** What people and programs do. */
export type Action =
  | { kind: 'target'; room: number; targets: number[]; everyMs: number }
  | { kind: 'power'; room: number; power: number | null }
  | { kind: 'mode'; room: number; mode: 'off' | 'heat' }
  | { kind: 'override'; room: number; hours: number | null; target: number }
  | { kind: 'away'; hours: number | null }
  | { kind: 'undo'; back: number; room: number; target: number | null }
  | { kind: 'key' }
  | { kind: 'poll'; times: number }
  | { kind: 'wait' }

type PlannedEvent = { atMs: number } & ({ fault: Fault } | { action: Action } | { look: true })

export interface Plan {
  seed: number
  hours: number
  /** How late the timers of the service fire while nothing is looked at. */
  calmPaceMs: number
  outdoorC: number
  events: PlannedEvent[]
}

/** One random source for each purpose, so that an event that is left out changes no other. */
export const randomOf = (seed: number, purpose: number): Random => seededRandom(hash(seed, 1000 + purpose))

const HOURS = { least: 3.6, most: 6.8 }
const LOOK_EVERY_MS = 60 * MINUTE_MS
/** Nothing goes wrong at the end, so that everything can become well. */
const HEAL_MS = 50 * MINUTE_MS

export function planOf(seed: number): Plan {
  const random = randomOf(seed, 0)
  const draw = drawing(random)
  const hours = draw.between(HOURS.least, HOURS.most)
  const endMs = hours * HOUR_MS - HEAL_MS
  const faults = draw.whole(2, 14)
  const actions = draw.whole(6, 22)
  const events: PlannedEvent[] = []
  for (let i = 0; i < actions; i++) events.push({ atMs: draw.between(MINUTE_MS, endMs), action: actionOf(draw) })
  for (let i = 0; i < faults; i++) {
    const fault = faultOf(draw)
    // Often in the middle of something.
    const near = events[draw.whole(0, events.length - 1)]
    const atMs = near && draw.chance(0.5) ? near.atMs + draw.between(0, 3000) : draw.between(MINUTE_MS, endMs)
    events.push({ atMs: Math.min(endMs, atMs), fault: endedBy(fault, endMs - Math.min(endMs, atMs)) })
  }
  for (let atMs = 0.7 * LOOK_EVERY_MS; atMs < hours * HOUR_MS; atMs += LOOK_EVERY_MS) events.push({ atMs, look: true })
  events.push({ atMs: hours * HOUR_MS - 5 * MINUTE_MS, look: true })
  events.sort((a, b) => a.atMs - b.atMs)
  return {
    seed,
    hours,
    calmPaceMs: draw.pick([30_000, 120_000, 120_000, 120_000]),
    outdoorC: draw.between(-12, 8),
    events,
  }
}

function endedBy(fault: Fault, mostMs: number): Fault {
  const ended = { ...fault }
  if ('forMs' in ended) ended.forMs = Math.min(ended.forMs, mostMs)
  if ('downMs' in ended) ended.downMs = Math.min(ended.downMs, mostMs)
  return ended
}

type Draw = ReturnType<typeof drawing>

function drawing(random: Random) {
  const between = (low: number, high: number) => low + random.uniform() * (high - low)
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
  const chance = (share: number) => random.uniform() < share
  const pick = <T>(from: readonly T[]): T => from[whole(0, from.length - 1)] as T
  /** Mostly short, sometimes very long. */
  const span = (lowMs: number, highMs: number) => lowMs * (highMs / lowMs) ** random.uniform()
  return { between, whole, chance, pick, span }
}

function faultOf(draw: Draw): Fault {
  const of = draw.pick(['service', 'gateway'] as const)
  const downMs = draw.span(200, 20 * MINUTE_MS)
  const forMs = draw.span(2000, 2 * HOUR_MS)
  const room = draw.whole(0, 2)
  switch (draw.whole(0, 14)) {
    case 0:
    case 1:
      return { kind: 'crash', of, downMs }
    case 2:
      return { kind: 'restart', of, downMs }
    case 3:
      return { kind: 'reboot', downMs, isClockSet: draw.chance(0.7) }
    case 4:
    case 5:
    case 6: {
      const work = draw.pick(['read', 'write', 'flush', 'flush'] as const)
      const failure = draw.pick(['refused', 'rolled back', 'done all the same', 'crash before', 'crash after'] as const)
      const times = failure.startsWith('crash') ? 1 : draw.whole(1, draw.chance(0.3) ? 60 : 3)
      return {
        kind: 'disk',
        of: draw.chance(0.8) ? 'service' : of,
        work,
        failure,
        after: draw.whole(0, 25),
        times,
        downMs,
      }
    }
    case 7:
      // Some last longer than the last command does.
      return { kind: 'cut', forMs: draw.chance(0.3) ? draw.between(1.4, 3) * HOUR_MS : forMs }
    case 8:
      return { kind: 'break' }
    case 9:
      return {
        kind: 'bad line',
        forMs,
        lost: draw.between(0, 0.4),
        twice: draw.between(0, 0.4),
        latencyMs: draw.span(40, 20_000),
      }
    case 10: {
      const byMs = draw.pick([-1, 1]) * draw.span(1000, 26 * HOUR_MS)
      return { kind: 'clock', of, byMs, forMs: draw.span(2000, HOUR_MS) }
    }
    case 11:
      return draw.chance(0.5)
        ? { kind: 'house broker', forMs }
        : { kind: 'house noise', forMs, lost: draw.between(0, 0.5) }
    case 12:
      return { kind: 'relay box' }
    case 13:
      return { kind: 'silent sensor', room, forMs }
    default:
      return { kind: 'cold', room }
  }
}

function actionOf(draw: Draw): Action {
  const room = draw.whole(0, 2)
  const target = draw.whole(14, 52) / 2
  switch (draw.whole(0, 11)) {
    case 0:
    case 1:
    case 2: {
      const targets = Array.from({ length: draw.whole(1, 6) }, () => draw.whole(14, 52) / 2)
      return { kind: 'target', room, targets, everyMs: draw.span(5, 700) }
    }
    case 3:
      return { kind: 'power', room, power: draw.chance(0.3) ? null : draw.whole(0, 20) / 20 }
    case 4:
      return { kind: 'mode', room, mode: draw.pick(['off', 'off', 'heat']) }
    case 5:
      return { kind: 'override', room, hours: draw.chance(0.4) ? null : draw.between(0.1, 4), target }
    case 6:
      return { kind: 'away', hours: draw.chance(0.5) ? null : draw.between(0.5, 6) }
    case 7:
    case 8:
      return { kind: 'undo', back: draw.whole(0, 2), room, target: draw.chance(0.6) ? target : null }
    case 9:
      return { kind: 'key' }
    case 10:
      return { kind: 'poll', times: draw.whole(2, 25) }
    default:
      return { kind: 'wait' }
  }
}
