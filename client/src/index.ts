export { type CallOptions, type ClientOptions, type DaySpan, HypocaustClient } from './client.ts'
export { HypocaustError, type LocalErrorCode } from './error.ts'
export type {
  Alert,
  Away,
  AwayPut,
  Building,
  Changes,
  Energy,
  ErrorCode,
  Explanation,
  History,
  Key,
  Outlook,
  Override,
  OverridePut,
  Room,
  RoomEnergy,
  RoomPatch,
  State,
} from './generated/types.ts'
export type { Snapshot, WatchOptions } from './watch.ts'
