import { fill } from './database.ts'
import { messageRows, ROOMS, readingRows } from './houses.ts'
import type { World } from './world.ts'

/** Disk for a million readings, indexes included, and for the record of the messages that brought them. */
export interface Size {
  readingsMb: number
  messagesMb: number
}

const HOUSES = 500
const ROWS_AT_ONCE = 20_000
const MILLION = 1_000_000

/** Fills in `readings` of them and reckons for a million. */
export async function measureSize(world: World, readings: number, done: (share: number) => void): Promise<Size> {
  const database = await world.database()
  const houses = await fill(database, HOUSES, () => {})
  const grown = async (count: number, insert: (first: number, count: number) => Promise<void>): Promise<number> => {
    const before = await database.bytes()
    for (let first = 0; first < count; first += ROWS_AT_ONCE) {
      await insert(first, Math.min(ROWS_AT_ONCE, count - first))
      done(first / count)
    }
    return ((await database.bytes()) - before) / 1e6
  }
  const add = (table: string, rows: typeof readingRows) => (first: number, count: number) =>
    database.insert(table, rows(houses, first, count))
  const readingsMb = await grown(readings, add('readings', readingRows))
  const messagesMb = await grown(readings / ROOMS, add('gateway_messages', messageRows))
  await database.close()
  return { readingsMb: (readingsMb * MILLION) / readings, messagesMb: (messagesMb * MILLION) / readings }
}
