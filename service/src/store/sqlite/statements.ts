import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineStatements } from '../engine-statements.ts'
import type { Tables } from '../tables.ts'

export const sqliteStatements = (db: Kysely<Tables>): EngineStatements => {
  const compilable = (statement: RawBuilder<unknown>) => ({ compile: () => statement.compile(db) })
  return {
    // The one writer takes batches one after the other.
    lockBuildings: () => [],
    list: (values) => JSON.stringify([...values]),
    isIn: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
    jsonNumber: (column, name) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${name}`)})`,
    jsonArray: (values) => sql`json_array(${sql.join(values)})`,
    jsonRows: (values, from, orderBy) =>
      sql`(select json_group_array(json_array(${sql.join(values)}) order by ${orderBy}) from ${from})`,
    moveRows({ table, where, insertFrom }) {
      const rows = sql`${sql.table(table)} where ${where}`
      return [compilable(insertFrom(rows)), compilable(sql`delete from ${rows}`)]
    },
    authDate: (date) => date.toISOString(),
    authBoolean: (value) => (value ? 1 : 0),
  }
}
