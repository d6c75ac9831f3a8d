import { freshState, type RoomControl } from './state.ts'
import type { StepInput } from './types.ts'

/** A state of another floor or another shape is no state: the room begins anew rather than not at all. */
export function usable(previous: RoomControl | null, input: StepInput): RoomControl {
  if (previous?.floorType !== input.floorType) return freshState(input)
  if (isOfToday(previous)) return previous
  const upgraded = withNewMembers(previous, freshState(input))
  return hasShape(upgraded) ? upgraded : freshState(input)
}

const PATTERN = freshState({
  ...{ floorType: 'screed', nowMs: 0, location: { lat: 0, lng: 0 } },
  settings: { targetC: 20, timeZone: 'UTC' },
})
const hasShape = checkOf(PATTERN)
const MEMBERS = Object.keys(PATTERN) as (keyof RoomControl)[]

const isOfToday = (state: RoomControl): boolean => Object.keys(state).length === MEMBERS.length && hasShape(state)

/** A state of an earlier version lacks members: those of a new room stand in. Members that are gone are dropped. */
function withNewMembers(previous: RoomControl, fresh: RoomControl): RoomControl {
  const members = MEMBERS.map((name) => [name, name in previous ? previous[name] : fresh[name]])
  const upgraded = Object.fromEntries(members) as RoomControl
  return { ...upgraded, learned: withNewParameters(upgraded.learned, fresh.learned) }
}

/** Parameters added since are as nothing learned of them. */
const withNewParameters = (learned: unknown, fresh: number[]): number[] =>
  Array.isArray(learned) ? fresh.map((none, i) => learned[i] ?? none) : fresh

type Check = (value: unknown) => boolean

/**
 * The same members of the same kinds, as deep as the pattern goes; what a new room does not have yet may be anything.
 * Made once: to go through the pattern at each step would take several times as long.
 */
function checkOf(pattern: unknown): Check {
  if (pattern === null) return () => true
  if (typeof pattern === 'number') return Number.isFinite
  if (typeof pattern !== 'object') return (value) => typeof value === typeof pattern
  if (Array.isArray(pattern)) {
    const isNumbers = typeof pattern[0] === 'number'
    return (value) =>
      Array.isArray(value) &&
      (pattern.length === 0 || value.length === pattern.length) &&
      (!isNumbers || value.every(Number.isFinite))
  }
  const checks = new Map(Object.entries(pattern).map(([name, part]) => [name, checkOf(part)]))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const members = value as Record<string, unknown>
    let found = 0
    // In the order of the value: V8 then knows where its members are, and need not look for their names.
    for (const name in members) {
      const check = checks.get(name)
      if (!check) continue
      if (members[name] === undefined || !check(members[name])) return false
      found++
    }
    return found === checks.size
  }
}
