import type { Beats } from '../../base/beats.ts'
import type { StoreErrorKind } from '../store.ts'
import type { Statement, StatementResult } from './connection.ts'

/** Writes that stand or fall together, as they cross to the writer's thread. */
export interface StatementBatch {
  statements: Statement[]
  limits: { count: Statement; most: number; name: string }[]
}

export interface Job extends StatementBatch {
  id: number
}

/** What the writer's thread is sent. */
export type Message = Job[] | { watch: Beats } | 'close'

export type Answer =
  | { id: number; results: StatementResult[] }
  | { id: number; error: { kind: StoreErrorKind; message: string } }
