import pg from 'pg'
import { storedNumbers } from '../faults/stored.ts'
import { writableOf } from './servers.ts'
import type { FailoverStage } from './stage.ts'

export interface Kept {
  changes: number
  readings: number
  lost: string[]
  duplicated: string[]
}

/** Holds what was acknowledged against what the database has, past the service. */
export async function keptOf({ writers, senders, installation, servers }: FailoverStage): Promise<Kept> {
  const databaseUrl = await writableOf(servers.urls)
  const kept: Kept = { changes: 0, readings: 0, lost: [], duplicated: [] }
  for (const { roomId, acknowledged } of writers) {
    const logged = await namesOf(databaseUrl, roomId)
    kept.changes += acknowledged.length
    kept.lost.push(...acknowledged.filter((name) => !logged.has(name)).map((name) => `${roomId} ${name}`))
    for (const [name, count] of logged) if (count > 1) kept.duplicated.push(`${roomId} ${name}: ${count}`)
  }
  for (const [house, { sent }] of senders.entries()) {
    const stored = await storedNumbers(databaseUrl, installation.houses[house]?.buildingId ?? '')
    kept.readings += sent
    for (let n = 0; n < sent; n++) if (!stored.has(n)) kept.lost.push(`house ${house} reading ${n}`)
    for (const [n, count] of stored) if (count > 1) kept.duplicated.push(`house ${house} reading ${n}: ${count}`)
  }
  return kept
}

/** The names a room was given, and how often. */
async function namesOf(databaseUrl: string, roomId: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ new_value: string; n: number }>(
      `select new_value, count(*)::integer as n from change_log where room_id = $1 and field = 'name'
        group by new_value`,
      [roomId],
    )
    return new Map(rows.map(({ new_value, n }) => [String(JSON.parse(new_value)[0]), n]))
  } finally {
    await client.end()
  }
}
