export { type CallOptions, type ClientOptions, HypocaustClient } from './client.ts'
export { HypocaustError, type LocalErrorCode } from './error.ts'
export type { Alert, Building, ErrorCode, Explanation, History, Key, Room, RoomPatch } from './generated/types.ts'
export type { Snapshot, WatchOptions } from './watch.ts'
