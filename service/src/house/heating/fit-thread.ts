import { parentPort } from 'node:worker_threads'
import { fitRoom, type RoomControl, type Slot } from '@hypocaust/control'

parentPort?.on('message', ({ state, slots }: { state: RoomControl; slots: Slot[] }) => {
  parentPort?.postMessage(fitRoom(state, slots))
})
