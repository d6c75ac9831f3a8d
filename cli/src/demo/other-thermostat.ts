import { HOUR_MS } from '@hypocaust/domain'
import type { Store } from '@hypocaust/service'
import { Hysteresis } from '@hypocaust/simulator'

/** The room of the virtual house that has a thermostat of its own. */
export const OTHER_ROOM = 'Living room'

const WARM = { fromHour: 5.5, toHour: 22.5, dayC: 21.5, nightC: 19.5 }
/** Close enough to the clock of the house for a thermostat that knows no summer time. */
const ZONE_H = 1

/** It begins to heat when its night is over, as such thermostats do. */
export const otherThermostat = (): Hysteresis =>
  new Hysteresis((atMs) => {
    const hour = (atMs / HOUR_MS + ZONE_H) % 24
    return hour >= WARM.fromHour && hour < WARM.toHour ? WARM.dayC : WARM.nightC
  })

/** Since when channels are left to other thermostats. */
export async function watchedChannels({ db }: Store, buildingId: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('rooms')
    .innerJoin('valves', 'valves.roomId', 'rooms.id')
    .select(['valves.channel', 'rooms.watchedSince'])
    .where('rooms.buildingId', '=', buildingId)
    .where('rooms.watchedSince', 'is not', null)
    .execute()
  return new Map(rows.map(({ channel, watchedSince }) => [channel, watchedSince ?? 0]))
}

/** As if the room had been watched in the simulated days. */
export async function watchedFrom({ db }: Store, buildingId: string, sinceMs: number): Promise<void> {
  await db
    .updateTable('rooms')
    .set({ watchedSince: sinceMs })
    .where('buildingId', '=', buildingId)
    .where('watchedSince', 'is not', null)
    .execute()
}
