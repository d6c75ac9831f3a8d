import type { Metrics } from '../base/metrics.ts'
import { migrationCounts } from './migrations/migrate.ts'
import type { Store } from './store.ts'

/** What the metrics show of the database. While it does not answer, what it would have to be asked is left out. */
export function exportDatabase(metrics: Metrics, store: Store): void {
  let counted = 0
  metrics.beforeRead.push(() => {
    const { slow, connections, writeProblem } = store.load
    metrics.databaseWritable.set(writeProblem === undefined ? 1 : 0)
    metrics.slowStatements.inc(slow - counted)
    counted = slow
    if (!connections) return
    const { most, ...states } = connections
    for (const [state, count] of Object.entries(states)) metrics.databaseConnections.set({ state }, count)
    metrics.saturation.set({ resource: 'database_connections' }, states.used / most)
  })
  metrics.beforeRead.push(async () => {
    metrics.migrations.reset()
    for (const [state, count] of Object.entries(await migrationCounts(store).catch(() => ({}))))
      metrics.migrations.set({ state }, count)
  })
  const { standbys } = store
  if (!standbys) return
  metrics.beforeRead.push(async () => {
    metrics.standbys.reset()
    metrics.replicationLag.reset()
    const found = await standbys().catch(() => undefined)
    if (!found) return
    metrics.standbys.set(found.length)
    for (const { name, lagBytes } of found)
      if (lagBytes !== null) metrics.replicationLag.set({ standby: name }, lagBytes)
  })
}
