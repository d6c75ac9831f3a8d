import { setTimeout as sleep } from 'node:timers/promises'
import type { HypocaustClient, Room, RoomPatch } from '@hypocaust/client'
import type { Place } from './session.ts'

/** The control decides within two seconds of a change. */
const PATIENCE_MS = 3000
const LOOK_EVERY_MS = 200

/** Changes a room and waits for what the floor does about it: `power` follows the change, it does not come with it. */
export async function changed(
  client: HypocaustClient,
  { building, room }: Place,
  patch: RoomPatch,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Room> {
  const ids = [building.id, room.id] as const
  const decidedAt = async () => (await client.getExplanation(...ids))?.decided_at
  const before = await decidedAt()
  const patched = await client.patchRoom(...ids, patch)
  if (patched.manual_power.enabled) return patched
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS)
    if ((await decidedAt()) !== before) return client.getRoom(...ids)
  }
  return patched
}
