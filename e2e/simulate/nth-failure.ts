import { MINUTE_MS } from '@hypocaust/domain/facts'
import type { DiskFailure, DiskWork } from './disk.ts'
import { disturbedByDisk } from './faults.ts'
import type { Action, Fault, Machine, Plan } from './plan.ts'
import type { World } from './world.ts'

/** The n-th operation of its kind on one machine fails. */
export interface NthFailure {
  of: Machine
  work: DiskWork
  n: number
  failure: DiskFailure
}

export type Operations = Record<`${Machine} ${DiskWork}`, number>

const DOWN_MS = 2000

const FAILURES: Record<DiskWork, DiskFailure[]> = {
  read: ['refused'],
  write: ['refused', 'rolled back', 'crash before'],
  flush: ['refused', 'done all the same', 'crash after'],
}

const MORNING: [minute: number, what: Action | Fault][] = [
  [1, { kind: 'target', room: 0, targets: [21, 22], everyMs: 300 }],
  [2, { kind: 'key' }],
  [3, { kind: 'override', room: 1, hours: 2, target: 23 }],
  [4, { kind: 'mode', room: 2, mode: 'off' }],
  [5, { kind: 'away', hours: 3 }],
  [6, { kind: 'restart', of: 'service', downMs: DOWN_MS }],
  [7, { kind: 'undo', back: 0, room: 0, target: 19 }],
  [8, { kind: 'crash', of: 'gateway', downMs: DOWN_MS }],
  [9, { kind: 'power', room: 2, power: 0.4 }],
  [10, { kind: 'wait' }],
  [11, { kind: 'away', hours: null }],
]
const ACTIONS = new Set(['target', 'key', 'override', 'mode', 'away', 'undo', 'power', 'wait'])

/** Every kind of thing that is written, and time to become well again. */
export const SCRIPTED_DAY: Plan = {
  seed: 0,
  hours: 0.45,
  calmPaceMs: MINUTE_MS,
  outdoorC: 0,
  events: [
    ...MORNING.map(([minute, what]) => {
      const atMs = minute * MINUTE_MS
      return ACTIONS.has(what.kind) ? { atMs, action: what as Action } : { atMs, fault: what as Fault }
    }),
    { atMs: 21 * MINUTE_MS, look: true as const },
  ],
}

/** Counts the operations of the disks, and lets one of them fail. */
export function failOnce(world: World, nth: NthFailure | undefined): Operations {
  const counted: Operations = {
    'service read': 0,
    'service write': 0,
    'service flush': 0,
    'gateway read': 0,
    'gateway write': 0,
    'gateway flush': 0,
  }
  world.disk.failureOf = (process, work) => {
    const of: Machine = process.name.startsWith('service') ? 'service' : 'gateway'
    const n = ++counted[`${of} ${work}`]
    if (nth?.of !== of || nth.work !== work || nth.n !== n) return undefined
    disturbedByDisk(world, process, { of, work, failure: nth.failure, downMs: DOWN_MS })
    return nth.failure
  }
  return counted
}

/** One failure for each operation of a day, or for every so many of them; kinds of failures take turns. */
export function failuresOf(counted: Operations, every: number): NthFailure[] {
  return Object.entries(counted).flatMap(([name, count]) => {
    const [of, work] = name.split(' ') as [Machine, DiskWork]
    const failures = FAILURES[work]
    return Array.from({ length: count }, (_, i) => i + 1)
      .filter((n) => n % every === 0)
      .map(
        (n): NthFailure => ({ of, work, n, failure: failures[Math.floor(n / every) % failures.length] ?? 'refused' }),
      )
  })
}
