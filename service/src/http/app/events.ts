import type { FastifyInstance } from 'fastify'
import type { AuthByOrigin } from '../../accounts/auth-by-origin.ts'
import { fingerprintOf } from '../../buildings/fingerprint.ts'
import type { Store } from '../../store/store.ts'
import { sessionOf } from './access.ts'

const LOOK_EVERY_MS = 1000
const CHECK_SESSION_EVERY = 15

/** Server-sent events: tells the holder's open pages that something changed, not what; they then look for themselves. */
export function eventRoutes(app: FastifyInstance, { store, auths }: { store: Store; auths: AuthByOrigin }): void {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  app.get('/events', { schema: { hide: true } }, async (request, reply) => {
    const { accountId } = request.signedIn
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    })
    raw.write('retry: 3000\n\n')
    let last = await fingerprintOf(store, accountId)
    let turn = 0
    let isLooking = false
    const look = async () => {
      if (isLooking) return
      isLooking = true
      try {
        if (++turn % CHECK_SESSION_EVERY === 0) {
          if (!(await sessionOf(request, reply, auths))) return end()
          raw.write(': still here\n\n')
        }
        const now = await fingerprintOf(store, accountId)
        for (const what of ['house', 'keys'] as const) {
          if (now[what] !== last[what]) raw.write(`event: ${what}\ndata: {}\n\n`)
        }
        last = now
      } catch (err) {
        request.log.warn({ err }, 'a page could not be told of changes; it asks again')
        end()
      } finally {
        isLooking = false
      }
    }
    const timer = setInterval(look, LOOK_EVERY_MS)
    const end = () => {
      clearInterval(timer)
      open.delete(end)
      raw.end()
    }
    open.add(end)
    raw.on('close', end)
  })
}
