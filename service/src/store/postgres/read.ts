import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { type ParseText, type RowMaker, rowMaker } from '../column-names.ts'
import type { SlowCount } from '../load.ts'
import { isPlanOutdated, isServerGone, translated } from './errors.ts'
import { typesAsNumbers } from './pool.ts'
import { type Column, runAtOnce } from './statement-run.ts'

export type Read = <Row>(query: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) => Promise<Row[]>

/** Without all that Kysely and pg do around a query: a connection describes the rows of a statement once. */
export function readerOf(pool: pg.Pool, slow: SlowCount): Read {
  const rowsOn = async <Row>(client: pg.PoolClient, sql: string, parameters: readonly unknown[]): Promise<Row[]> => {
    const [answer] = await runAtOnce(client, [{ sql, parameters }])
    return answer ? answer.rows.map(makerOf<Row>(answer.columns)) : []
  }
  return <Row>({ sql, parameters }: Pick<CompiledQuery<Row>, 'sql' | 'parameters'>) =>
    slow.watch(() =>
      translated(async () => {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          return await rowsOn<Row>(client, sql, parameters)
        } catch (error) {
          if (isServerGone(error) || isPlanOutdated(error)) broken = error
          if (!isPlanOutdated(error)) throw error
          return await rowsUnprepared<Row>(client, sql, parameters)
        } finally {
          client.release(broken)
        }
      }),
    )
}

async function rowsUnprepared<Row>(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows, fields } = await client.query({ text: sql, values: [...values], rowMode: 'array' })
  return rows.map(rowMaker<Row>(fields.map(({ name }) => name)))
}

const makers = new WeakMap<Column[], RowMaker<unknown>>()
/** Connections that describe a statement alike share one, which is compiled once. */
const makersByColumns = new Map<string, RowMaker<unknown>>()

function makerOf<Row>(columns: Column[]): RowMaker<Row> {
  const known = makers.get(columns)
  if (known) return known as RowMaker<Row>
  const description = columns.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()
  const names = columns.map(({ name }) => name)
  const maker = makersByColumns.get(description) ?? rowMaker(names, columns.map(parserOf))
  makersByColumns.set(description, maker)
  makers.set(columns, maker)
  return maker as RowMaker<Row>
}

const AS_IT_IS = typesAsNumbers.getTypeParser(pg.types.builtins.TEXT)

function parserOf({ dataTypeID }: Column): ParseText | undefined {
  const parser = typesAsNumbers.getTypeParser(dataTypeID)
  return parser === AS_IT_IS ? undefined : parser
}
