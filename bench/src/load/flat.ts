import { setTimeout as sleep } from 'node:timers/promises'
import { Clients } from './clients.ts'
import { fill } from './database.ts'
import type { Engine } from './options.ts'
import { type Spread, spreadOf } from './pace.ts'
import type { OwnServer } from './processes.ts'
import { World } from './world.ts'

interface FlatSide extends Spread {
  buildings: number
  /** Processor time of service and database for one request. */
  cpuUs: number
}

export interface FlatResult {
  engine: Engine
  few: FlatSide
  many: FlatSide
  /** Many against few: 1 is flat. */
  cpuRatio: number
  p50Ratio: number
}

const CLIENTS = 100
const FEW = 100
const SETTLE_MS = 1000

/** The same requests against a small and a large database, turn about, so that whatever else the machine does meets both. */
export async function measureFlat(
  parts: { engine: Engine; postgres: OwnServer | undefined; many: number; rounds: number; requests: number },
  done: (what: string, share: number) => void,
): Promise<FlatResult> {
  const { engine, postgres, many, rounds, requests } = parts
  const sides = [await openSide(FEW, () => {}), await openSide(many, (share) => done('filling the database', share))]
  await sleep(SETTLE_MS)
  for (const side of sides) await side.run(requests)
  for (const side of sides) side.forget()
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side.run(requests)
    done('the same requests, few and many buildings', (round + 1) / rounds)
  }
  const [small, large] = sides.map((side) => side.result()) as [FlatSide, FlatSide]
  for (const side of sides) await side.close()
  return {
    engine,
    few: small,
    many: large,
    cpuRatio: large.cpuUs / small.cpuUs,
    p50Ratio: large.p50Ms / small.p50Ms,
  }

  async function openSide(buildings: number, filled: (share: number) => void) {
    const world = await World.open(engine, postgres, engine === 'postgres' ? { role: 'api' } : {})
    const database = await world.database()
    const houses = await fill(database, buildings, filled)
    await database.close()
    // Spread over the whole of it: neighbours on one page of the database would flatter the large one.
    const stride = Math.max(1, Math.floor(buildings / CLIENTS))
    const asking = Array.from({ length: CLIENTS }, (_, i) => houses[(i * stride) % buildings]).filter(
      (house) => house !== undefined,
    )
    const clients = new Clients(world.service.url, asking, 4)
    let cpuS = 0
    let asked = 0
    return {
      async run(count: number) {
        const before = (await world.service.figures()).cpuS + world.databaseCpuS()
        for (let i = 0; i < count; i++) {
          const act = i % 10 === 9 ? () => clients.patch(performance.now()) : () => clients.poll(performance.now())
          act()
          while (clients.outstanding > 0) await new Promise((resolve) => setImmediate(resolve))
        }
        if (clients.failed > 0) throw new Error(`${clients.failed} of ${count} requests failed`)
        cpuS += (await world.service.figures()).cpuS + world.databaseCpuS() - before
        asked += count
      },
      forget() {
        clients.reset()
        cpuS = 0
        asked = 0
      },
      result: (): FlatSide => ({ buildings, cpuUs: (cpuS * 1e6) / asked, ...spreadOf(clients.latenciesMs) }),
      async close() {
        clients.close()
        await world.close()
      },
    }
  }
}
