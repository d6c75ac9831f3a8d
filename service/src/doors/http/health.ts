import type { FastifyInstance } from 'fastify'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'

/** Live: the process answers. Ready: it can also reach its database. */
export function healthRoutes(app: FastifyInstance, store: Store): void {
  const hidden = { schema: { hide: true } }
  app.get('/health/live', hidden, async () => ({ status: 'ok' }))
  app.get('/health/ready', hidden, async (request) => {
    try {
      await store.db.selectFrom('buildings').select('id').limit(1).execute()
      return { status: 'ok' }
    } catch (err) {
      request.log.error({ err }, 'the database does not answer')
      throw errors.unavailable()
    }
  })
}
