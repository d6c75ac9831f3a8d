import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { after, type MaybePromise } from '../base/at-once.ts'
import type { EngineStatements } from './engine-statements.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

/** Where a value will stand. */
class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const places = new Proxy({}, { get: (_, name) => new Place(String(name)) })

/** What a statement is built with. */
type Prepares = Pick<Store, 'db' | 'statements'>

/** What a statement is run on. */
export type Reads = Pick<Store, 'db' | 'statements' | 'read'>

export interface Statement<Values extends object, Row> {
  /** As one of a batch. */
  with(store: Prepares, values: Values): Compilable<Row>
  all(store: Reads, values: Values): Promise<Row[]>
  /** Without a promise where the engine answers at once. */
  first(store: Reads, values: Values): MaybePromise<Row | undefined>
}

interface Compiled<Values, Row> {
  query: CompiledQuery<Row>
  fill: Filler<Values>
}

type Filler<Values> = (values: Values) => unknown[]

/**
 * Puts values where they belong among the parameters. As a function of its own for each statement it reads them by
 * name from objects of one shape, like the function that makes its rows.
 */
function fillerOf<Values>(parameters: readonly unknown[]): Filler<Values> {
  const entries = parameters.map((value, i) =>
    value instanceof Place ? `values[${JSON.stringify(value.name)}]` : `fixed[${i}]`,
  )
  return new Function('fixed', `return (values) => [${entries.join(', ')}]`)(parameters)
}

/**
 * A query that is built and compiled once for each database: that costs more than to run it. It reads like any other,
 * but each value it is given must go into the query as it is.
 */
export function statement<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values, engine: EngineStatements) => Compilable<Row>,
): Statement<Values, Row> {
  const compiled = new WeakMap<Kysely<Tables>, Compiled<Values, Row>>()
  const compiledFor = ({ db, statements }: Prepares): Compiled<Values, Row> => {
    const known = compiled.get(db)
    if (known) return known
    const query = build(db, places as Values, statements).compile()
    const made = { query, fill: fillerOf<Values>(query.parameters) }
    compiled.set(db, made)
    return made
  }
  const bound = (store: Prepares, values: Values): CompiledQuery<Row> => {
    const { query, fill } = compiledFor(store)
    return { sql: query.sql, query: query.query, queryId: query.queryId, parameters: fill(values) }
  }
  return {
    with: (store, values) => ({ compile: <T>() => bound(store, values) as unknown as CompiledQuery<T> }),
    all: async (store, values) => store.read(bound(store, values)),
    first: (store, values) => after(store.read(bound(store, values)), ([row]) => row) as MaybePromise<Row | undefined>,
  }
}
