import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { errors } from '../../base/errors.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Store } from '../../store/store.ts'

/** Why this process cannot do its work right now, or undefined. */
export type Readiness = () => string | undefined | Promise<string | undefined>

const sameEpoch = ({ db }: Store) =>
  db
    .updateTable('meta')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('name', '=', 'epoch')

/** Live: the process answers. Ready: it can also reach its database and whatever else its work needs. */
export function healthRoutes(app: FastifyInstance, store: Store, metrics: Metrics, readiness: Readiness[] = []): void {
  const hidden = { schema: { hide: true } }
  app.get('/health/live', hidden, async () => ({ status: 'ok' }))
  app.get('/health/ready', hidden, async ({ log }) => {
    const why = await whyNotReady(store, readiness, log)
    if (why !== undefined) throw errors.unavailable(why)
    return { status: 'ok' }
  })
  metrics.beforeRead.push(async () => {
    metrics.ready.set((await whyNotReady(store, readiness, app.log)) === undefined ? 1 : 0)
  })
}

async function whyNotReady(store: Store, readiness: Readiness[], log: FastifyBaseLogger): Promise<string | undefined> {
  try {
    await store.db.selectFrom('buildings').select('id').limit(1).execute()
  } catch (err) {
    log.error({ err }, 'the database does not answer')
    return 'The database does not answer.'
  }
  // A database that several processes share refuses writes to all of them, and each goes on answering reads.
  if (!store.isShared && store.load.writeProblem !== undefined) {
    // Tried again with a write that changes nothing: else a process that nobody asks would never be ready again.
    await store.batch([sameEpoch(store)]).catch((err) => log.error({ err }, 'the database cannot be written'))
    if (store.load.writeProblem !== undefined) return 'The database cannot be written.'
  }
  for (const check of readiness) {
    const why = await check()
    if (why !== undefined) return why
  }
  return undefined
}
