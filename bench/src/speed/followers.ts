import { setTimeout as sleep } from 'node:timers/promises'
import type { House } from '../load/houses.ts'
import type { Client } from './client.ts'

/** As the Home Assistant integration waits (`const.py`). */
const WAIT_S = 50
export const BETWEEN_CHANGES_MS = 1000

export interface Followed {
  client: Client
  house: House
  /** Called once the state is known, from when on only changes are asked for. */
  begun: () => void
  leaving: AbortSignal
}

/** Home Assistant: one request that waits for the next change. */
export async function followState({ client, house, begun, leaving }: Followed): Promise<void> {
  const key = { 'x-api-key': house.key }
  while (!leaving.aborted) {
    const { status } = await client.get(key, `/v1/buildings/${house.buildingId}/state?wait=${WAIT_S}`)
    begun()
    if (status === 200) await sleep(BETWEEN_CHANGES_MS)
  }
}

/** Home Assistant as it read before there was one state: its parts, and the outlook of each room that changed. */
export async function followParts({ client, house, begun, leaving }: Followed): Promise<void> {
  const key = { 'x-api-key': house.key }
  const building = `/v1/buildings/${house.buildingId}`
  for (let cursor = ''; !leaving.aborted; ) {
    const paths = [building, `${building}/rooms`, `${building}/alerts`, `${building}/away`]
    const [, rooms] = await Promise.all(paths.map((path) => client.get(key, path)))
    if (rooms?.status === 200)
      await Promise.all(house.roomIds.map((roomId) => client.get(key, `${building}/rooms/${roomId}/outlook`)))
    // Without a cursor, everything is a change.
    if (cursor) begun()
    const { body } = await client.get(key, `/v1/changes?wait=${WAIT_S}${cursor && `&since=${cursor}`}`)
    cursor = JSON.parse(body).cursor
    await sleep(BETWEEN_CHANGES_MS)
  }
}
