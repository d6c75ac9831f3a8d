import { type Decided, decidedFor, type GatewayValves, withValves } from '../gateways/valves.ts'
import type { ControlInputs, ControlledRoom } from './inputs.ts'

/** The gateways of a building, each with the rooms on its channels as they are once these decisions are written. */
export function gatewaysWith(
  { building, gateways, valves, rooms }: ControlInputs,
  decided: Decided[],
): GatewayValves[] {
  const roomOf = new Map(rooms.map((room) => [room.id, room]))
  const decidedOf = new Map(decided.map((each) => [each.roomId, each]))
  const ofRooms = valves.flatMap(({ roomId, gatewayId, channel }) => {
    const room = roomOf.get(roomId)
    return room
      ? { ...settingsOf(room), ...(decidedOf.get(roomId) ?? decidedFor(room.id, room)), gatewayId, channel }
      : []
  })
  return withValves(building, gateways, ofRooms)
}

function settingsOf(room: ControlledRoom) {
  const { floorType, manualEnabled, manualPower, watchedSince, targetC, comfortBandK } = room
  const { temperatureC, sensorAddress, otherSensors } = room
  const measured = { temperatureC, sensorAddress, otherSensors }
  return { floorType, manualEnabled, manualPower, watchedSince, targetC, comfortBandK, ...measured }
}
