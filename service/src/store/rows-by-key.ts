import { MicroBatch } from './micro-batch.ts'
import type { Statement } from './statement.ts'
import type { Store } from './store.ts'

/**
 * The rows of a key, of a building for instance. Many buildings are controlled in one turn of the event loop, after the
 * messages of a moment: one query reads the rows of all of them.
 */
export function rowsByKey<Row>(
  statement: Statement<{ keys: unknown }, Row>,
  keyOf: (row: Row) => string,
): (store: Store, key: string) => Promise<Row[]> {
  const gathered = new WeakMap<Store, MicroBatch<string, Row[]>>()
  const gatheredOf = (store: Store): MicroBatch<string, Row[]> =>
    new MicroBatch(async (keys) => {
      const rows = await statement.all(store, { keys: store.statements.list(new Set(keys)) })
      const byKey = Map.groupBy(rows, keyOf)
      return keys.map((key) => byKey.get(key) ?? [])
    })
  return (store, key) => {
    const known = gathered.get(store) ?? gatheredOf(store)
    gathered.set(store, known)
    return known.ask(key)
  }
}
