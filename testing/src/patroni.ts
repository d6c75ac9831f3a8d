import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './ports.ts'
import { postgresPrograms } from './postgres-server.ts'
import { endProcess, findServer } from './programs.ts'

const NOBODY = 65_534

/** How long the cluster waits for a primary that is silent: Patroni's documentation recommends no less. */
const LEASE_S = 20
const DCS = {
  ttl: LEASE_S,
  loop_wait: 1,
  retry_timeout: 3,
  // A server is promoted only where it has every commit that was confirmed.
  synchronous_mode: true,
  postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, fsync: 'off' } },
}

/** What of it this machine lacks. */
export function missingForPatroni(): string[] {
  const postgres = postgresPrograms() ? [] : ['postgresql']
  const others = { patroni: 'patroni', etcd: 'etcd-server' }
  return [...postgres, ...Object.entries(others).flatMap(([program, name]) => (findServer(program) ? [] : [name]))]
}

/** As `GET /cluster` of Patroni names it. */
interface MemberState {
  name: string
  role: string
  state: string
}

interface Member {
  name: string
  /** Of PostgreSQL. */
  port: number
  /** Of Patroni's own interface. */
  apiPort: number
  data: string
  config: string
  agent?: ChildProcess
}

/** Two PostgreSQL servers that Patroni keeps, and etcd, in which they agree on the primary. */
export class PatroniCluster {
  readonly #folder: string
  readonly #members: [Member, Member]
  #etcd: ChildProcess | undefined

  private constructor(folder: string, members: [Member, Member]) {
    this.#folder = folder
    this.#members = members
  }

  static async start(): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-patroni-'))
    chmodSync(folder, 0o700)
    // PostgreSQL refuses to run as root.
    if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY)
    const members: [Member, Member] = [await newMember(folder, 'one'), await newMember(folder, 'two')]
    const cluster = new PatroniCluster(folder, members)
    const etcdPort = await cluster.#startEtcd()
    for (const [i, member] of members.entries()) {
      writeFileSync(member.config, JSON.stringify(configOf(member, folder, etcdPort)), { mode: 0o644 })
      member.agent = cluster.#spawn('patroni', [member.config])
      await cluster.#reaches(i === 0 ? 'leader' : 'sync_standby')
    }
    return cluster
  }

  /** Of PostgreSQL; the first has begun as the primary. */
  get ports(): [number, number] {
    return [this.#members[0].port, this.#members[1].port]
  }

  /** Asks the primary to hand over; resolves when Patroni says that it has. */
  async switchover(): Promise<void> {
    const leader = await this.#primary()
    const response = await fetch(`http://127.0.0.1:${leader.apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name }),
    })
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`)
  }

  /** Patroni finds it dead, and starts it again or promotes the other. */
  async killPrimary(): Promise<void> {
    process.kill(postmasterOf(await this.#primary()), 'SIGKILL')
  }

  /** Its machine has lost power: nobody gives back the lease. */
  async loseMachineOfPrimary(): Promise<void> {
    const leader = await this.#primary()
    leader.agent?.kill('SIGKILL')
    process.kill(postmasterOf(leader), 'SIGKILL')
  }

  async stop(): Promise<void> {
    for (const member of this.#members) {
      await endProcess(member.agent, 'SIGKILL')
      try {
        process.kill(postmasterOf(member), 'SIGKILL')
      } catch {
        // The trial has ended it already.
      }
    }
    await endProcess(this.#etcd, 'SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }

  async #startEtcd(): Promise<number> {
    const [port, peerPort] = [await freePort(), await freePort()]
    const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
    const flags = {
      'data-dir': join(this.#folder, 'etcd'),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `default=${peerUrl}`,
    }
    this.#etcd = this.#spawn(
      'etcd',
      Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    )
    await eventually(() =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    return port
  }

  #spawn(program: string, args: string[]): ChildProcess {
    const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    return spawn(findServer(program) ?? program, args, { ...identity, cwd: this.#folder, stdio: 'ignore' })
  }

  async #reaches(role: 'leader' | 'sync_standby'): Promise<void> {
    await eventually(async () => {
      for (const { name, agent } of this.#members)
        if (agent && agent.exitCode !== null) throw new Error(`Patroni of ${name} ended with ${agent.exitCode}`)
      const states = await this.#states().catch(() => [])
      return states.some((each) => each.role === role && each.state === 'running')
    })
  }

  async #primary(): Promise<Member> {
    const { name } = (await this.#states()).find(({ role }) => role === 'leader') ?? {}
    const member = this.#members.find((each) => each.name === name)
    if (!member) throw new Error('the cluster has no leader')
    return member
  }

  async #states(): Promise<MemberState[]> {
    const response = await fetch(`http://127.0.0.1:${this.#members[0].apiPort}/cluster`)
    return ((await response.json()) as { members: MemberState[] }).members
  }
}

async function newMember(folder: string, name: string): Promise<Member> {
  const [data, config] = [join(folder, name), join(folder, `${name}.yaml`)]
  return { name, port: await freePort(), apiPort: await freePort(), data, config }
}

/** YAML holds JSON. */
function configOf({ name, port, apiPort, data }: Member, folder: string, etcdPort: number): object {
  const api = `127.0.0.1:${apiPort}`
  const server = `127.0.0.1:${port}`
  return {
    scope: 'hypocaust',
    name,
    log: { dir: folder },
    restapi: { listen: api, connect_address: api },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: { dcs: DCS, initdb: [{ encoding: 'UTF8' }, 'no-sync'] },
    postgresql: {
      listen: server,
      connect_address: server,
      data_dir: data,
      bin_dir: postgresPrograms(),
      pgpass: join(folder, `pgpass-${name}`),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
}

const postmasterOf = ({ data }: Member): number =>
  Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
