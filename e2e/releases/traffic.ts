import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** As the service of every release has it: beyond this an owner is answered 503. */
const LOCK_TIMEOUT_MS = 5000
const DEADLOCK = '40P01'

type Run = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

/** Work as the processes of the first release do it: the same tables in the same order. */
const WORK: Record<string, (run: Run, turn: number, loop: number) => Promise<unknown>> = {
  async patch(run, turn) {
    await run('update rooms set target_c = $1 where position = 0', [20 + (turn % 5)])
    await run('update buildings set revised_at = revised_at + 1')
  },
  async control(run, turn) {
    await run('update rooms set control_power = $1 where position = 1', [(turn % 10) / 10])
    await run('update buildings set controlled_at = controlled_at + 1')
    await run('update gateways set command_due_at = 0')
  },
  async reading(run, turn, loop) {
    await run('select pg_advisory_xact_lock(1)')
    await run(`insert into gateway_messages (gateway_id, boot, n, received_at) select id, $2, $1, 0 from gateways`, [
      turn,
      `load ${loop}`,
    ])
    await run('update sensors set temperature_c = $1', [turn % 30])
    await run(
      `insert into readings (building_id, sensor_id, measured_at, temperature_c)
        select building_id, id, $1, 20 from sensors on conflict do nothing`,
      [Date.now()],
    )
  },
  async newSensor(run, turn) {
    await run('insert into sensors (id, building_id, created_at) select $1, id, 0 from buildings', [`new-${turn}`])
  },
  async poll(run) {
    await run('select * from rooms join sensors on sensors.id = rooms.sensor_id')
    await run('select * from buildings')
  },
}

/** What processes of the version before do to the database while a new one migrates it. */
export class Traffic {
  readonly failures: string[] = []
  /** Of owners, between two changes that were stored. */
  longestPauseMs = 0
  /** Answered 503, and tried again. */
  deadlocks = 0
  readonly #done = new Map<string, number>()
  readonly #startMs = performance.now()
  #isOver = false
  readonly #loops: Promise<void>[]

  /** With no pause between them the processes never leave the tables to themselves. */
  constructor(url: string, pauseMs: number) {
    // Two messages of gateways for each change of an owner.
    this.#loops = [...Object.keys(WORK), 'reading'].map((kind, i) => this.#loop(url, kind, pauseMs, i))
  }

  get patched(): number {
    return this.#done.get('patch') ?? 0
  }

  perSecond(kind: 'patch' | 'reading'): number {
    return Math.round(((this.#done.get(kind) ?? 0) * 1000) / (performance.now() - this.#startMs))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#loops)
  }

  async #loop(url: string, kind: string, pauseMs: number, loop: number): Promise<void> {
    const client = new pg.Client({ connectionString: url, lock_timeout: LOCK_TIMEOUT_MS })
    await client.connect()
    let lastMs = performance.now()
    for (let turn = 1; !this.#isOver; turn++) {
      try {
        await client.query('begin')
        await WORK[kind]?.((text, values) => client.query(text, values), turn, loop)
        await client.query('commit')
        this.#done.set(kind, (this.#done.get(kind) ?? 0) + 1)
        if (kind === 'patch') {
          this.longestPauseMs = Math.max(this.longestPauseMs, performance.now() - lastMs - pauseMs)
          lastMs = performance.now()
        }
      } catch (error) {
        // Versions differ in the order in which they write a building and its rooms. PostgreSQL ends one of two that
        // meet, and its caller hears 503 and tries again.
        if ((error as { code?: string }).code === DEADLOCK) this.deadlocks++
        else this.failures.push(`${kind}: ${(error as Error).message}`)
        await client.query('rollback')
      }
      await pause(pauseMs)
    }
    await client.end()
  }
}
