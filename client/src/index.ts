export {
  type CallOptions,
  type ClientOptions,
  type DaySpan,
  HypocaustClient,
  type LogOptions,
  type WriteOptions,
} from './client.ts'
export { HypocaustError, type LocalErrorCode } from './error.ts'
export type { EventsOptions, HouseEvent, StatePart } from './events.ts'
export type {
  Air,
  Alert,
  Away,
  AwayPut,
  Building,
  BuildingComfort,
  Changes,
  Energy,
  ErrorCode,
  Explanation,
  History,
  Key,
  Log,
  Outlook,
  Override,
  OverridePut,
  Programme,
  ProgrammeCopies,
  Room,
  RoomComfort,
  RoomComfortPatch,
  RoomEnergy,
  RoomPatch,
  RoomPatches,
  State,
} from './generated/types.ts'
export type { Snapshot, WatchOptions } from './watch.ts'
