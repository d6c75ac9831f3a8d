import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Beats } from '../base/beats.ts'
import type { Batch, Limit } from './batch.ts'
import type { EngineStatements } from './engine-statements.ts'
import type { Standby, StoreLoad } from './load.ts'
import type { Partitions } from './partitions.ts'
import type { RateWindows } from './rate-windows.ts'
import type { Tables } from './tables.ts'

/** What the service asks of a database engine. Each engine is a folder beside this file. */
export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  /** Whether several processes of the service may work on it. */
  readonly isShared: boolean
  /** Reads, and writes of one statement. A write is durable when its promise resolves. */
  readonly db: Kysely<Tables>
  /** Runs a compiled select; for `statement`. SQLite answers at once. */
  read<Row>(query: CompiledQuery<Row>): Row[] | Promise<Row[]>
  /** Several writes, all or nothing, durable when the promise resolves. Beyond one of the limits it is nothing. */
  batch(queries: Compilable[], limits?: Limit[]): Promise<WriteResult[]>
  /** Several batches in one transaction; each stands or falls by itself. */
  batchEach(batches: Batch[]): Promise<PromiseSettledResult<WriteResult[]>[]>
  readonly statements: EngineStatements
  readonly load: StoreLoad
  /** Where the engine counts requests for all processes. */
  readonly rateWindows?: RateWindows
  /** Where the engine keeps what only grows in partitions, which are taken away as a whole. */
  readonly partitions?: Partitions
  /** Where the engine has standbys. */
  standbys?(): Promise<Standby[]>
  /** Where the engine has a thread, which then also watches this one's event loop. */
  watch?(beats: Beats): void
  close(): Promise<void>
}

export interface WriteResult {
  affectedRows: number
}

export type StoreErrorKind =
  | 'foreign_key'
  | 'unique'
  | 'not_null'
  | 'limit'
  | 'unavailable'
  | 'moving'
  | 'damaged'
  | 'other'

/** A failure of the database in words both engines share. */
export class StoreError extends Error {
  readonly kind: StoreErrorKind
  constructor(kind: StoreErrorKind, message: string) {
    super(message)
    this.name = 'StoreError'
    this.kind = kind
  }
}

export function refuseBeyond({ most, name }: Pick<Limit, 'most' | 'name'>, rows: object[]): void {
  const [count] = Object.values(rows[0] ?? {})
  if (Number(count) > most) throw new StoreError('limit', name)
}

export const isStoreError = (error: unknown, kind: StoreErrorKind): boolean =>
  error instanceof StoreError && error.kind === kind
