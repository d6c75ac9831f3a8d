import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSecondsOf } from './cpu.ts'
import { fill } from './database.ts'
import { Fleet } from './gateways.ts'
import { ROOMS } from './houses.ts'
import { type OwnServer, type ServiceProcess, startMosquitto } from './processes.ts'
import { World } from './world.ts'

export interface IngestRound {
  processes: number
  readingsPerS: number
  /** Of all ingest processes, per message of ROOMS readings. */
  serviceUsPerMessage: number
  databaseUsPerMessage: number
  brokerUsPerMessage: number
}

export interface IngestResult {
  rounds: IngestRound[]
  /** Throughput of three against one. */
  ratio: number
  /** Processor time a message costs with three against one: 1 means sharing the work costs nothing. */
  costRatio: number
}

/** Each with one message under way, as a real one: a house's own messages are never stored side by side. */
const GATEWAYS = 240
const DRAIN_LIMIT_MS = 120_000
const WARM_MESSAGES = 500
const MOST_LOOKS = 2400
const PROCESSES = [1, 2, 3]

/** As many messages as are taken in, by one process, two and three, turn about, through Mosquitto's shared subscription. */
export async function measureIngest(
  { postgres, roundS, rounds }: { postgres: OwnServer; roundS: number; rounds: number },
  done: (round: IngestRound) => void,
): Promise<IngestResult> {
  const broker = await startMosquitto()
  const world = await World.open('postgres', postgres, { mqttUrl: broker.url, role: 'ingest' })
  const results: IngestRound[] = []
  try {
    const database = await world.database()
    const houses = await fill(database, GATEWAYS, () => {})
    await database.close()
    const fleet = await Fleet.connect(broker.url, houses)
    // Every room has its first plan before anything is counted.
    await pump(fleet, { atLeastS: 0, atLeastMessages: 2 * GATEWAYS })
    for (let i = 0; i < rounds; i++) {
      const others: ServiceProcess[] = []
      for (const processes of PROCESSES) {
        while (others.length + 1 < processes) others.push(await world.another())
        const round = await measureRound({ world, broker, fleet, others, roundS })
        results.push(round)
        done(round)
      }
      await Promise.all(others.map((other) => other.stop()))
    }
    await fleet.leave()
  } finally {
    await world.close()
    await broker.stop()
  }
  const mean = (processes: number, value: (round: IngestRound) => number) => {
    const some = results.filter((round) => round.processes === processes)
    return some.reduce((sum, round) => sum + value(round), 0) / some.length
  }
  return {
    rounds: results,
    ratio: mean(3, ({ readingsPerS }) => readingsPerS) / mean(1, ({ readingsPerS }) => readingsPerS),
    costRatio: mean(3, costOf) / mean(1, costOf),
  }
}

export const costOf = ({ serviceUsPerMessage, databaseUsPerMessage }: IngestRound) =>
  serviceUsPerMessage + databaseUsPerMessage

async function measureRound(parts: {
  world: World
  broker: OwnServer
  fleet: Fleet
  others: ServiceProcess[]
  roundS: number
}): Promise<IngestRound> {
  const { world, broker, fleet, others, roundS } = parts
  const services = [world.service, ...others]
  const cpu = async () => ({
    serviceS: (await Promise.all(services.map((each) => each.figures()))).reduce((sum, { cpuS }) => sum + cpuS, 0),
    databaseS: world.databaseCpuS(),
    brokerS: cpuSecondsOf(broker.pid),
  })
  // A process that has just started compiles what it is about to do: that is not the cost of a message.
  await pump(fleet, { atLeastS: 1, atLeastMessages: WARM_MESSAGES * services.length })
  const before = await cpu()
  const { messages, tookS } = await pump(fleet, { atLeastS: roundS, atLeastMessages: 1 })
  const after = await cpu()
  const perMessage = (seconds: number) => (seconds * 1e6) / messages
  return {
    processes: services.length,
    readingsPerS: (messages * ROOMS) / tookS,
    serviceUsPerMessage: perMessage(after.serviceS - before.serviceS),
    databaseUsPerMessage: perMessage(after.databaseS - before.databaseS),
    brokerUsPerMessage: perMessage(after.brokerS - before.brokerS),
  }
}

/** Every gateway has a message under way all the time, and sends the next when it is committed. */
async function pump(
  fleet: Fleet,
  { atLeastS, atLeastMessages }: { atLeastS: number; atLeastMessages: number },
): Promise<{ messages: number; tookS: number }> {
  const before = fleet.committed
  const startMs = performance.now()
  const send = (from: number) => fleet.send(performance.now(), { from })
  fleet.onCommit = send
  for (let from = 0; from < fleet.size; from++) send(from)
  await sleep(atLeastS * 1000)
  for (let look = 0; look < MOST_LOOKS && fleet.committed - before < atLeastMessages; look++) await sleep(50)
  fleet.onCommit = () => {}
  const messages = fleet.committed - before
  const tookS = (performance.now() - startMs) / 1000
  if (!(await fleet.drained(DRAIN_LIMIT_MS))) throw new Error('messages were left uncommitted')
  fleet.reset()
  return { messages, tookS }
}
