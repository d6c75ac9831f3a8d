export { type BridgeParts, type BridgeStanding, MatterBridge } from './bridge.ts'
export type { MatterLog } from './log.ts'
export type { RoomPreset, RoomsSource } from './source.ts'
