import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { House } from '../load/houses.ts'
import type { World } from '../load/world.ts'
import { Driver, type Requests, requestBytes } from './driver.ts'
import { alternate, type Figure, figureOf, ratioOf } from './rounds.ts'

const CONNECTIONS = 32

interface PatchRate {
  /** PATCHes a second over 32 connections, of the commits a second that SQLite itself makes one after the other. */
  ratio: Figure
  patchesPerS: Figure
  /** Says how long the disk takes for a flush: where that is short, a PATCH waits for the processor instead. */
  commitsPerS: Figure
}

export async function measurePatches(
  world: World,
  houses: House[],
  { turns, requests }: { turns: number; requests: number },
): Promise<PatchRate> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-speed-'))
  const driver = await Driver.connect(world.service.url, CONNECTIONS)
  const commit = singleRowCommits(join(folder, 'bare.db'))
  const patches = patchesOf(houses)
  // Seconds for one: the ratio is of rates, so of times the other way round.
  const values = await alternate(
    [
      { name: 'sqlite', round: async () => commit(requests) / requests },
      { name: 'patch', round: async () => (await driver.run(requests, 200, patches)).tookS / requests },
    ],
    turns,
  )
  driver.close()
  rmSync(folder, { recursive: true, force: true })
  const perS = (name: string) => figureOf((values.get(name) ?? []).map((seconds) => 1 / seconds))
  return { ratio: ratioOf(values, 'patch', 'sqlite'), patchesPerS: perS('patch'), commitsPerS: perS('sqlite') }
}

/** Each changes a target: a PATCH that changes nothing would be cheaper. */
export function patchesOf(houses: House[]): Requests {
  let sent = 0
  return () => {
    const { buildingId, roomIds, key } = houses[sent % houses.length] as House
    const path = `/v1/buildings/${buildingId}/rooms/${roomIds[0]}`
    return requestBytes(
      'PATCH',
      path,
      { 'x-api-key': key },
      JSON.stringify({ target_temperature: 18 + (sent++ % 50) / 10 }),
    )
  }
}

function singleRowCommits(file: string): (count: number) => number {
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec('create table rooms (id integer primary key, target_c real)')
  db.exec('insert into rooms values (1, 20)')
  const update = db.prepare('update rooms set target_c = ? where id = 1')
  return (count) => {
    const startMs = performance.now()
    for (let i = 0; i < count; i++) update.run(18 + (i % 50) / 10)
    return (performance.now() - startMs) / 1000
  }
}
