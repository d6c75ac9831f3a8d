export { type CallOptions, type ClientOptions, HypocaustClient } from './client.ts'
export { HypocaustError, type LocalErrorCode } from './error.ts'
export type {
  Alert,
  Away,
  AwayPut,
  Building,
  Changes,
  ErrorCode,
  Explanation,
  History,
  Key,
  Outlook,
  Override,
  OverridePut,
  Room,
  RoomPatch,
} from './generated/types.ts'
export type { Snapshot, WatchOptions } from './watch.ts'
