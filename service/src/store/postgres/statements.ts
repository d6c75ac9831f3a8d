import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineStatements } from '../engine-statements.ts'
import type { Tables } from '../tables.ts'
import { LOCK_BY_IDS } from './transactions.ts'

export const postgresStatements = (db: Kysely<Tables>): EngineStatements => {
  const compilable = (statement: RawBuilder<unknown>) => ({ compile: () => statement.compile(db) })
  return {
    // Two processes would else wait for each other's rows, each in its own order, until the database gave one up.
    lockBuildings(buildingIds) {
      if (buildingIds.size === 0) return []
      const ids = [...buildingIds].sort()
      return [{ queries: [{ compile: () => CompiledQuery.raw(LOCK_BY_IDS, [ids]) }] }]
    },
    list: (values) => [...values],
    isIn: (column, list) => sql`${sql.ref(column)} = any(${list}::text[])`,
    jsonNumber: (column, name) => sql`(${sql.ref(column)}::json ->> ${sql.lit(name)})::double precision`,
    jsonArray: (values) => sql`json_build_array(${sql.join(values)})::text`,
    jsonRows: (values, from, orderBy) =>
      sql`(select coalesce(json_agg(json_build_array(${sql.join(values)}) order by ${orderBy})::text, '[]') from ${from})`,
    // In one statement, so that two processes never take the same rows.
    moveRows({ table, where, insertFrom }) {
      const taken = sql`with taken as (delete from ${sql.table(table)} where ${where} returning *)`
      return [compilable(sql`${taken} ${insertFrom(sql`taken`)}`)]
    },
    authDate: (date) => date,
    authBoolean: (value) => value,
  }
}
