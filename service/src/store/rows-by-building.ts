import { Gathered } from './gathered.ts'
import type { Statement } from './statement.ts'
import type { Store } from './store.ts'

/**
 * The rows of a building. Many buildings are controlled in one turn of the event loop, after the messages of a moment:
 * one query reads the rows of all of them.
 */
export function rowsByBuilding<Row>(
  statement: Statement<{ buildingIds: unknown }, Row>,
  buildingOf: (row: Row) => string,
): (store: Store, buildingId: string) => Promise<Row[]> {
  const gathered = new WeakMap<Store, Gathered<string, Row[]>>()
  const gatheredOf = (store: Store): Gathered<string, Row[]> =>
    new Gathered(async (buildingIds) => {
      const rows = await statement.all(store, { buildingIds: store.statements.list(new Set(buildingIds)) })
      const byBuilding = Map.groupBy(rows, buildingOf)
      return buildingIds.map((buildingId) => byBuilding.get(buildingId) ?? [])
    })
  return (store, buildingId) => {
    const known = gathered.get(store) ?? gatheredOf(store)
    gathered.set(store, known)
    return known.ask(buildingId)
  }
}
