import { eventually } from '@hypocaust/testing/eventually.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type OwnPostgres, startPostgres } from '../../bench/src/load/processes.ts'
import { trialHouse } from '../trial-house.ts'
import { Installation, type SettledHouse, withoutPrograms } from './installation.ts'
import { PersistentGateway } from './persistent-gateway.ts'
import { type Answer, SecureClient } from './secure-client.ts'

const HOUSES = 2
const PROCESSES = [0, 1, 2]
const PAUSE_MS = 100
const PAUSE_AFTER_FAILURE_MS = 200

const hex = (n: number): string =>
  n
    .toString(16)
    .padStart(8, '0')
    .replace(/..(?=.)/g, '$&:')

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What no program may ever see: anything but an answer, or a 503 in the one form that says when to come back. */
function complaintAbout({ status, headers, text }: Answer): string | undefined {
  if (status === 200 || status === 304) return undefined
  const isSorry =
    status === 503 &&
    Number(headers['retry-after']) > 0 &&
    /^application\/json/.test(String(headers['content-type'])) &&
    JSON.parse(text).error.code === 'unavailable'
  return isSorry ? undefined : `${status} ${JSON.stringify(headers)} ${text}`
}

/** Renames its room to ever higher numbers and looks whether the last one that was acknowledged is there. */
class Renamer {
  readonly #client: SecureClient
  readonly #path: string
  readonly #keys: { read: string; write: string }
  #next = 0
  #stopping = false
  acknowledged = 0
  /** Acknowledged and then read back. */
  confirmed = 0
  refused = 0
  complaints: string[] = []

  constructor(client: SecureClient, { buildingId, readKey, writeKey }: SettledHouse, roomId: string) {
    this.#client = client
    this.#path = `/v1/buildings/${buildingId}/rooms/${roomId}`
    this.#keys = { read: readKey, write: writeKey }
  }

  async run(): Promise<void> {
    while (!this.#stopping) {
      const name = ++this.#next
      const written = await this.#ask('PATCH', this.#keys.write, { name: String(name) })
      if (written) this.acknowledged = name
      await this.#look()
      await pause(written ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS)
    }
  }

  stop(): void {
    this.#stopping = true
  }

  /** A write that was refused may have happened all the same; one that was acknowledged must have. */
  async #look(): Promise<void> {
    const found = await this.#ask('GET', this.#keys.read)
    if (!found) return
    const name = Number(JSON.parse(found.text).name)
    if (name < this.acknowledged || name > this.#next)
      this.complaints.push(`${this.#path}: ${this.acknowledged} was acknowledged, ${name} is there`)
    else if (name === this.acknowledged) this.confirmed++
  }

  async #ask(method: string, key: string, body?: object): Promise<Answer | undefined> {
    try {
      const answer = await this.#client.ask(method, this.#path, { 'x-api-key': key }, body)
      const complaint = complaintAbout(answer)
      if (complaint) this.complaints.push(`${method}: ${complaint}`)
      if (answer.status === 503) this.refused++
      return answer.status === 200 ? answer : undefined
    } catch (error) {
      this.complaints.push(`${method}: ${(error as Error).message}`)
      return undefined
    }
  }
}

/** Polls its building with the tag of the last answer, as an integration does. */
class Poller {
  readonly #client: SecureClient
  readonly #house: SettledHouse
  #stopping = false
  answered = 0
  complaints: string[] = []

  constructor(client: SecureClient, house: SettledHouse) {
    this.#client = client
    this.#house = house
  }

  async run(): Promise<void> {
    const { buildingId, readKey } = this.#house
    let tag: string | undefined
    while (!this.#stopping) {
      try {
        const headers = { 'x-api-key': readKey, ...(tag !== undefined && { 'if-none-match': tag }) }
        const answer = await this.#client.ask('GET', `/v1/buildings/${buildingId}/rooms`, headers)
        const complaint = complaintAbout(answer)
        if (complaint) this.complaints.push(`poll: ${complaint}`)
        if (answer.status === 200) tag = String(answer.headers.etag)
        if (answer.status !== 503) this.answered++
      } catch (error) {
        this.complaints.push(`poll: ${(error as Error).message}`)
      }
      await pause(PAUSE_MS)
    }
  }

  stop(): void {
    this.#stopping = true
  }
}

describe.skipIf(withoutPrograms(inject('postgresUrl')))('three processes behind the proxy', () => {
  let postgres: OwnPostgres
  let installation: Installation
  /** A holder's budget would be used up by what is asked here in a minute. */
  const unlimited = { HYPOCAUST_RATE_LIMIT_READS: '0', HYPOCAUST_RATE_LIMIT_WRITES: '0' }
  const startService = (index: number) => installation.startService(index, ['serve'], unlimited)

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false })
    const houses = Array.from({ length: HOUSES }, (_, i) => trialHouse(i, [`c0:0${i}:01`, `c0:0${i}:02`]))
    installation = await Installation.build(`${postgres.url}/postgres`, houses, PROCESSES.length)
    await installation.startBroker()
    await installation.startProxy(PROCESSES)
    await Promise.all(PROCESSES.map(startService))
  }, 300_000)
  afterAll(async () => {
    await installation?.remove()
    await postgres?.stop()
  })

  test('whatever is killed or restarted: nothing acknowledged is lost, no reading is lost or twice, and all is well again', {
    timeout: 600_000,
  }, async () => {
    const { houses, ports, url } = installation
    const client = new SecureClient(url)
    const gateways = houses.map((house, i) => new PersistentGateway(ports.mqtts, house, (n) => `dd:0${i}:${hex(n)}`))
    const renamers = houses.flatMap((house) => house.roomIds.map((roomId) => new Renamer(client, house, roomId)))
    const pollers = houses.map((house) => new Poller(client, house))
    await eventually(async () => (await client.ask('GET', '/health/ready')).status === 200)
    const loops = [...renamers, ...pollers].map((each) => each.run())
    for (const gateway of gateways) gateway.start()

    /** Everybody gets through, several times. */
    const allWell = async () => {
      const wells = [
        ...renamers.map((each) => () => each.confirmed),
        ...pollers.map((each) => () => each.answered),
        ...gateways.map((each) => () => each.committed),
      ].map((count) => ({ count, before: count() }))
      await eventually(() => wells.every(({ count, before }) => count() >= before + 3))
    }

    await allWell()
    await installation.endService(0, 'SIGKILL')
    await allWell()
    await startService(0)
    await allWell()
    await installation.endService(1, 'SIGTERM')
    await startService(1)
    await allWell()
    await postgres.restart('fast')
    await allWell()
    await postgres.restart('immediate')
    await allWell()
    await installation.endBroker('SIGTERM')
    await installation.startBroker()
    await allWell()
    await installation.endBroker('SIGKILL')
    await installation.startBroker()
    await allWell()

    for (const each of [...renamers, ...pollers]) each.stop()
    await Promise.all([...loops, ...gateways.map((gateway) => gateway.finish())])
    client.close()
    expect([...renamers, ...pollers].flatMap(({ complaints }) => complaints)).toEqual([])
    expect(renamers.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(0)
    const stored = await storedPerSensor(installation.databaseUrl)
    expect(stored.size).toBe(gateways.reduce((sum, { sent }) => sum + sent, 0))
    expect([...stored].filter(([, count]) => count !== 1)).toEqual([])
  })
})

async function storedPerSensor(databaseUrl: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(`select address as sensor_id, count(*)::integer as n from readings
    join sensors on sensors.id = readings.sensor_id group by address`)
  await client.end()
  return new Map(rows.map(({ sensor_id, n }) => [sensor_id, n]))
}
