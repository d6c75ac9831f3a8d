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

export interface Statement<Values extends object, Row> {
  /** As one of a batch. */
  with(store: Prepares, values: Values): Compilable<Row>
  all(store: Store, values: Values): Promise<Row[]>
  /** Without a promise where the engine answers at once. */
  first(store: Store, values: Values): MaybePromise<Row | undefined>
}

/**
 * A query that is built and compiled once for each database: that costs more than to run it. It reads like any other,
 * but each value it is given must go into the query as it is.
 */
export function statement<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values, engine: EngineStatements) => Compilable<Row>,
): Statement<Values, Row> {
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>()
  const compiledFor = ({ db, statements }: Prepares): CompiledQuery<Row> => {
    const known = compiled.get(db)
    if (known) return known
    const made = build(db, places as Values, statements).compile()
    compiled.set(db, made)
    return made
  }
  const bound = (store: Prepares, values: Values): CompiledQuery<Row> => {
    const { sql, query, queryId, parameters } = compiledFor(store)
    const filled = parameters.map((value) => (value instanceof Place ? values[value.name as keyof Values] : value))
    return { sql, query, queryId, parameters: filled }
  }
  return {
    with: (store, values) => ({ compile: <T>() => bound(store, values) as unknown as CompiledQuery<T> }),
    all: async (store, values) => store.read(bound(store, values)),
    first: (store, values) => after(store.read(bound(store, values)), ([row]) => row) as MaybePromise<Row | undefined>,
  }
}
