import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { type RowMaker, rowMaker } from '../column-names.ts'
import type { SlowCount } from '../load.ts'
import { translated } from './errors.ts'
import { PreparedQueries } from './query.ts'

export type Read = <Row>(query: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) => Promise<Row[]>

/** Without what Kysely does around a query: rows get the names of the code by a function that is made once. */
export function readerOf(pool: pg.Pool, slow: SlowCount): Read {
  return <Row>({ sql, parameters }: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) =>
    slow.watch(() =>
      translated(async () => {
        const queries = new PreparedQueries(await pool.connect())
        try {
          const { rows, fields } = await queries.lists(sql, parameters)
          return rows.map(makerOf<Row>(fields))
        } finally {
          queries.release()
        }
      }),
    )
}

const makers = new Map<string, RowMaker<unknown>>()

function makerOf<Row>(fields: pg.FieldDef[]): RowMaker<Row> {
  const names = fields.map(({ name }) => name)
  const key = names.join()
  const made = makers.get(key) ?? rowMaker(names)
  makers.set(key, made)
  return made as RowMaker<Row>
}
