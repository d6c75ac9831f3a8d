import type { Compilable, CompiledQuery, Kysely } from 'kysely'
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

export interface Statement<Values extends object, Row> {
  /** As one of a batch. */
  with(db: Kysely<Tables>, values: Values): Compilable<Row>
  all(store: Store, values: Values): Promise<Row[]>
  /** Without a promise where the engine answers at once. */
  first(store: Store, values: Values): Row | undefined | Promise<Row | undefined>
}

/**
 * A query that is built and compiled once for each database: that costs more than to run it. It reads like any other,
 * but each value it is given must go into the query as it is.
 */
export function statement<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): Statement<Values, Row> {
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>()
  const compiledFor = (db: Kysely<Tables>): CompiledQuery<Row> => {
    const known = compiled.get(db)
    if (known) return known
    const made = build(db, places as Values).compile()
    compiled.set(db, made)
    return made
  }
  const bound = (db: Kysely<Tables>, values: Values): CompiledQuery<Row> => {
    const query = compiledFor(db)
    const { sql, query: node, queryId, parameters } = query
    const filled = parameters.map((value) => (value instanceof Place ? values[value.name as keyof Values] : value))
    return { sql, query: node, queryId, parameters: filled }
  }
  return {
    with: (db, values) => ({ compile: <T>() => bound(db, values) as unknown as CompiledQuery<T> }),
    all: async (store, values) => store.read(bound(store.db, values)),
    first(store, values) {
      const rows = store.read(bound(store.db, values))
      return rows instanceof Promise ? rows.then(([row]) => row) : rows[0]
    },
  }
}
