import type { Compilable, RawBuilder, SqlBool } from 'kysely'

import type { Batch } from './batch.ts'

/** Statements and values that each engine writes its own way; each folder of an engine has its own. */
export interface EngineStatements {
  /** The first batch of a transaction on these buildings: two processes then write one after the other. */
  lockBuildings(buildingIds: Set<string>): Batch[]
  /** Many values as one parameter, and whether a column is one of them: one text for any number of them. */
  list(values: Iterable<string>): unknown
  isIn(column: string, list: unknown): RawBuilder<SqlBool>
  /** The number under a name of a JSON column; null where there is none. */
  jsonNumber(column: string, name: string): RawBuilder<number | null>
  /** Several values as the text of a JSON array, and rows of a table as an array of such. */
  jsonArray(values: RawBuilder<unknown>[]): RawBuilder<string>
  jsonRows(values: RawBuilder<unknown>[], from: RawBuilder<unknown>, orderBy: RawBuilder<unknown>): RawBuilder<string>
  /** Inserts what `insertFrom` makes of a table's rows, and deletes those rows: none is counted twice or lost. */
  moveRows(move: RowMove): Compilable[]
  /** As better-auth keeps it in its own tables. */
  authDate(date: Date): unknown
  authBoolean(value: boolean): unknown
}

interface RowMove {
  table: string
  where: RawBuilder<unknown>
  insertFrom(rows: RawBuilder<unknown>): RawBuilder<unknown>
}
