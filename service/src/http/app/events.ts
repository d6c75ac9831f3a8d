import type { ServiceEvent } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import type { AuthByOrigin } from '../../accounts/auth-by-origin.ts'
import { fingerprintOf } from '../../buildings/fingerprint.ts'
import type { Clock } from '../../clock.ts'
import type { Store } from '../../store/store.ts'
import { sessionOf } from './access.ts'
import { textOf } from './answers.ts'

const LOOK_EVERY_MS = 1000
const CHECK_SESSION_EVERY = 15

interface EventParts {
  store: Store
  clock: Clock
  auths: AuthByOrigin
}

/** Server-sent events: tells the holder's open pages that something changed, not what; they then look for themselves. */
export function eventRoutes(app: FastifyInstance, { store, clock, auths }: EventParts): void {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  app.get(
    '/events',
    {
      schema: {
        hide: true,
        summary: 'Hear that something changed, as server-sent events',
        response: textOf('text/event-stream', '`house` or `keys`, without content: look again.'),
      },
    },
    async (request, reply) => {
      const { accountId } = request.signedIn
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-request-id': request.id,
      })
      const say = (what: 'clock' | 'house' | 'keys') => {
        const event: ServiceEvent = { now: clock.now() }
        raw.write(`event: ${what}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      raw.write('retry: 3000\n\n')
      say('clock')
      let last = await fingerprintOf(store, accountId)
      let turn = 0
      let isLooking = false
      const look = async () => {
        if (isLooking) return
        isLooking = true
        try {
          if (++turn % CHECK_SESSION_EVERY === 0) {
            if (!(await sessionOf(request, reply, auths))) return end()
            say('clock')
          }
          const now = await fingerprintOf(store, accountId)
          for (const what of ['house', 'keys'] as const) {
            if (now[what] !== last[what]) say(what)
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
    },
  )
}
