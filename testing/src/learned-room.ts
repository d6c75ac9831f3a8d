import { DAY_MS } from '@hypocaust/domain'
import { simulatedRoom } from '../../control/test/simulated-room.ts'
import type { Store } from '../../service/src/store/store.ts'

const SLOT_MS = 1_800_000
/** A version of the state beyond any that the service has written. */
const LATEST = 1_000_000

/** Warmer by day, and milder days between colder ones: weather that teaches. */
const outdoorAt = (hour: number): number => 2 + 5 * Math.sin(hour / 4) + 3 * Math.sin(hour / 30)

type Story = Parameters<typeof simulatedRoom>[0]
const simulated = new Map<string, ReturnType<typeof simulatedRoom>>()

/** Simulating takes a second, and tests ask for the same room again. */
function simulatedOnce(story: Omit<Story, 'outdoorAt'>) {
  const key = JSON.stringify(story)
  const room = simulated.get(key) ?? simulatedRoom({ ...story, outdoorAt })
  simulated.set(key, room)
  return room
}

/** A room that the law has heated and learned for so many days until now, with what was recorded of it. */
export async function learnRoom({ db }: Store, roomId: string, days: number, nowMs: number): Promise<void> {
  const { targetC, timezone, floorType } = await db
    .selectFrom('rooms')
    .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
    .select(['rooms.targetC', 'rooms.floorType', 'buildings.timezone'])
    .where('rooms.id', '=', roomId)
    .executeTakeFirstOrThrow()
  const { state, slots } = simulatedOnce({ floorType, days, settings: { targetC, timeZone: timezone } })
  const lastMs = slots.at(-1)?.endMs ?? 0
  const movedMs = Math.floor((nowMs - lastMs) / SLOT_MS) * SLOT_MS
  const rows = slots
    .map((slot) => ({ ...slot, endMs: slot.endMs + movedMs }))
    .filter(({ endMs }) => endMs > nowMs - days * DAY_MS)
  await db.deleteFrom('roomSlots').where('roomId', '=', roomId).execute()
  await db
    .insertInto('roomSlots')
    .values(rows.map((slot) => ({ roomId, endsAt: slot.endMs, slot: JSON.stringify(slot) })))
    .execute()
  await db.deleteFrom('controlStates').where('roomId', '=', roomId).execute()
  await db
    .insertInto('controlStates')
    .values({ roomId, version: LATEST, state: JSON.stringify(state), keptAt: null, keptGist: null })
    .execute()
}
