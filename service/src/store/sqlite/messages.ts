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

export type Answer =
  | { id: number; results: StatementResult[] }
  | { id: number; error: { kind: StoreErrorKind; message: string } }
