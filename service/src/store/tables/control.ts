import type { FixedAtInsert } from './columns.ts'

export interface ControlStateTable {
  roomId: FixedAtInsert<string>
  version: number
  state: string
  /** The decision that was last written down: when, and what it came to. */
  keptAt: number | null
  keptGist: string | null
}

export interface DecisionTable {
  roomId: FixedAtInsert<string>
  decidedAt: FixedAtInsert<number>
  power: number
  targetC: number
  decision: string
}

export interface RoomSlotTable {
  roomId: FixedAtInsert<string>
  endsAt: FixedAtInsert<number>
  slot: FixedAtInsert<string>
}

/** A local day of a room. */
export interface RoomHeatTable {
  roomId: FixedAtInsert<string>
  /** As 2026-01-10. */
  day: FixedAtInsert<string>
  kwhM2: number
  /** One standard deviation of the logarithm. */
  spread: number
  /** Wh/m² of each hour, as JSON. */
  hours: string
  /** By the prices of the day; null where there was none. */
  costM2: number | null
  /** What the counter of the room has of this day; null where the area was not known. */
  countedKwh: number | null
  /** Means of the day; null where they were not kept yet. */
  airC: number | null
  outdoorC: number | null
}

/** Rooms of which it is known; see house/replays/savings.ts. */
export interface RoomSavingsTable {
  roomId: FixedAtInsert<string>
  replayedAt: number
  /** What was replayed, and what would have been saved: JSON. */
  settings: string
  savings: string
}

/** What its last days say about possible faults: an `Examination` as JSON. */
export interface RoomExaminationsTable {
  roomId: FixedAtInsert<string>
  examinedAt: number
  examination: string
}

/** How warm a room was promised to be when a higher setpoint begins; see house/heating/promises.ts. */
export interface PromiseTable {
  roomId: FixedAtInsert<string>
  dueAt: FixedAtInsert<number>
  setpointC: FixedAtInsert<number>
  expectedC: FixedAtInsert<number>
  /** Null until then, and where the setpoint was changed in the meantime or no reading was there. */
  measuredC: number | null
}
