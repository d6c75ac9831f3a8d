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

const GATEWAYS = 120
const UNDER_WAY_EACH = 4
const DRAIN_LIMIT_MS = 30_000

/** As many messages as are taken in, by one process and by three, turn about, through Mosquitto's shared subscription. */
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
    await pump(fleet, 2)
    for (let i = 0; i < rounds; i++) {
      results.push(await measureRound({ world, broker, fleet, others: [], roundS }))
      done(results.at(-1) as IngestRound)
      const others = [await world.another(), await world.another()]
      results.push(await measureRound({ world, broker, fleet, others, roundS }))
      done(results.at(-1) as IngestRound)
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

const costOf = ({ serviceUsPerMessage, databaseUsPerMessage }: IngestRound) =>
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
  await pump(fleet, 1)
  const before = await cpu()
  const { messages, tookS } = await pump(fleet, roundS)
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

/** Every gateway has a few messages under way all the time, and sends the next when one is committed. */
async function pump(fleet: Fleet, durationS: number): Promise<{ messages: number; tookS: number }> {
  const before = fleet.committed
  const startMs = performance.now()
  const send = (from: number) => fleet.send(performance.now(), { from })
  fleet.onCommit = send
  for (let from = 0; from < fleet.size; from++) for (let i = 0; i < UNDER_WAY_EACH; i++) send(from)
  await sleep(durationS * 1000)
  fleet.onCommit = () => {}
  const messages = fleet.committed - before
  const tookS = (performance.now() - startMs) / 1000
  if (!(await fleet.drained(DRAIN_LIMIT_MS))) throw new Error('messages were left uncommitted')
  fleet.reset()
  return { messages, tookS }
}
