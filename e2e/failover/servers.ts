import { chownSync } from 'node:fs'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { FaultyLine } from '@hypocaust/testing/faulty-line.ts'
import { PatroniCluster } from '@hypocaust/testing/patroni.ts'
import { PostgresPair } from '@hypocaust/testing/postgres-pair.ts'
import pg from 'pg'
import { mountDisk, type SmallDisk } from '../faults/machine.ts'

const NOBODY = 65_534
/** Room for two write-ahead logs, and little more. */
const DISK_MEGABYTES = 400
const LOOK_LIMIT_MS = 1000

/** The database servers of a trial. */
export interface Servers {
  /** Past whatever lies between a server and the service. Where two take writes, the first is the right one. */
  readonly urls: string[]
  /** As the service is given them. */
  readonly address: string
  stop(): Promise<void>
}

/** The standby comes first, so that the order does not decide. */
const addressOf = (standbyPort: number, primaryPort: number) =>
  `postgres://postgres@127.0.0.1:${standbyPort},127.0.0.1:${primaryPort}/postgres?target_session_attrs=read-write`

/** A primary whose commits wait for its standby, promoted by the trial alone. */
export class PairServers implements Servers {
  readonly pair: PostgresPair
  /** Between the processes and the primary. */
  readonly line: FaultyLine
  /** Of the primary, where the trial asks for one and the machine mounts it. */
  readonly disk: SmallDisk | undefined

  private constructor(pair: PostgresPair, line: FaultyLine, disk: SmallDisk | undefined) {
    this.pair = pair
    this.line = line
    this.disk = disk
  }

  static async start(onOwnDisk = false): Promise<PairServers> {
    let disk: SmallDisk | undefined
    const pair = await PostgresPair.start((data) => {
      if (!onOwnDisk) return
      disk = mountDisk(data, DISK_MEGABYTES)
      if (process.getuid?.() === 0) chownSync(data, NOBODY, NOBODY)
    })
    const line = new FaultyLine(pair.primary.port)
    await line.start()
    return new PairServers(pair, line, disk)
  }

  get urls(): string[] {
    return [this.pair.standby.url, this.pair.primary.url]
  }

  get address(): string {
    return addressOf(this.pair.standby.port, this.line.port)
  }

  async stop(): Promise<void> {
    this.line.stop()
    if (this.disk) {
      await this.pair.primary.stop('immediate')
      this.disk.unmount()
    }
    await this.pair.stop()
  }
}

/** Two servers of which Patroni decides who is the primary. */
export class PatroniServers implements Servers {
  readonly cluster: PatroniCluster
  readonly urls: string[]
  readonly address: string

  private constructor(cluster: PatroniCluster) {
    this.cluster = cluster
    this.urls = cluster.ports.map((port) => `postgres://postgres@127.0.0.1:${port}/postgres`)
    const [primaryPort, standbyPort] = cluster.ports
    this.address = addressOf(standbyPort, primaryPort)
  }

  static async start(): Promise<PatroniServers> {
    return new PatroniServers(await PatroniCluster.start())
  }

  /** That of the two which does not take writes now. */
  async standbyUrl(): Promise<string> {
    const primary = await writableOf(this.urls)
    return this.urls.find((url) => url !== primary) ?? ''
  }

  stop(): Promise<void> {
    return this.cluster.stop()
  }
}

/** Resolves when one of them takes writes. */
export const writableOf = (urls: string[]): Promise<string> =>
  eventually(async () => {
    const areWritable = await Promise.all(urls.map(isWritable))
    return urls.find((_, i) => areWritable[i])
  })

async function isWritable(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: LOOK_LIMIT_MS,
    query_timeout: LOOK_LIMIT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby')
    return rows[0]?.is_standby === false
  } catch {
    return false
  } finally {
    void client.end().catch(() => undefined)
  }
}
