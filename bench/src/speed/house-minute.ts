import { setTimeout as sleep } from 'node:timers/promises'
import { threadTimeUs } from '../load/cpu.ts'
import type { Fleet } from '../load/gateways.ts'
import { type House, MESSAGES_PER_MINUTE } from '../load/houses.ts'
import { atRate } from '../load/pace.ts'
import type { World } from '../load/world.ts'
import { Client } from './client.ts'
import { BETWEEN_CHANGES_MS, type Followed, followParts, followState } from './followers.ts'
import { alternate, type Figure, figureOf } from './rounds.ts'
import { followWebsite } from './website.ts'

const DRAIN_LIMIT_MS = 20_000

/** Who follows each house while its gateway reports. */
const READERS = {
  nobody: [],
  homeAssistant: [followState],
  parts: [followParts],
  everybody: [followState, followWebsite],
} as const satisfies Record<string, ((followed: Followed) => Promise<void>)[]>

type Readers = keyof typeof READERS

/** Of a house in a minute. */
interface HouseMinute {
  serviceMs: Figure
  databaseMs: Figure
  requests: Figure
}

export interface HouseExtent {
  turns: number
  seconds: number
}

/** All that the service does for a house in a minute: its readings, its control, and what its followers ask. */
export async function measureHouseMinutes(
  { world, fleet, houses }: { world: World; fleet: Fleet; houses: House[] },
  { turns, seconds }: HouseExtent,
): Promise<Record<Readers, HouseMinute>> {
  const names = Object.keys(READERS) as Readers[]
  const spent = new Map(names.map((name) => [name, [] as { databaseMs: number; requests: number }[]]))
  const perHouseMinute = 60 / seconds / houses.length
  const contestants = names.map((name) => ({
    name,
    async round() {
      const client = new Client(world.service.url)
      const leaving = new AbortController()
      const following = houses.flatMap((house) =>
        READERS[name].map((follow) => {
          const { promise: begun, resolve } = Promise.withResolvers<void>()
          const followed = { client, house, begun: resolve, leaving: leaving.signal }
          return { begun, ended: follow(followed).catch(ended(leaving.signal)) }
        }),
      )
      await Promise.all(following.map(({ begun }) => begun))
      await sleep(2 * BETWEEN_CHANGES_MS)
      const { answered } = client
      const before = { serviceUs: threadTimeUs(world.service.pid), databaseS: world.databaseCpuS() }
      await atRate((houses.length * MESSAGES_PER_MINUTE) / 60, seconds, (dueMs) => fleet.send(dueMs))
      await fleet.drained(DRAIN_LIMIT_MS)
      const serviceMs = ((threadTimeUs(world.service.pid) - before.serviceUs) / 1000) * perHouseMinute
      spent.get(name)?.push({
        databaseMs: (world.databaseCpuS() - before.databaseS) * 1000 * perHouseMinute,
        requests: (client.answered - answered) * perHouseMinute,
      })
      leaving.abort()
      client.close()
      await Promise.all(following.map((each) => each.ended))
      return serviceMs
    },
  }))
  const services = await alternate(contestants, turns)
  const minuteOf = (name: Readers): HouseMinute => {
    // The first round of each is not counted.
    const others = spent.get(name)?.slice(1) ?? []
    return {
      serviceMs: figureOf(services.get(name) ?? []),
      databaseMs: figureOf(others.map(({ databaseMs }) => databaseMs)),
      requests: figureOf(others.map(({ requests }) => requests)),
    }
  }
  return {
    nobody: minuteOf('nobody'),
    homeAssistant: minuteOf('homeAssistant'),
    parts: minuteOf('parts'),
    everybody: minuteOf('everybody'),
  }
}

const ended = (leaving: AbortSignal) => (error: Error) => {
  if (!leaving.aborted) throw error
}
