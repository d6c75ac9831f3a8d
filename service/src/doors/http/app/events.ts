import type { ServiceEvent } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { buildingIdsOf, fingerprintOf } from '../../../house/buildings/fingerprint.ts'
import type { AuthByOrigin } from '../../../people/accounts/auth-by-origin.ts'
import type { Happening, News } from '../../../processes/news.ts'
import type { Store } from '../../../store/store.ts'
import { lingerBriefly } from '../closing.ts'
import { Waits } from '../turns.ts'
import { sessionOf } from './access.ts'
import { textOf } from './answers.ts'

const TURN_MS = 1000
/** At these turns the session is checked, and looked for what nobody tells. */
const THOROUGH_EVERY = 15
/** The first thing that happens is looked at at once; what follows so soon after a look is looked at together. */
const LOOK_EVERY_MS = 200

export interface EventParts {
  store: Store
  clock: Clock
  news: News
  auths: AuthByOrigin
  /** Of the streams that are open. */
  streams: SessionChecks
}

/** Each ends its stream when the session behind it has ended. */
export type SessionChecks = Set<() => void>

/** Server-sent events: tells the holder's open pages that something changed, not what; they then look for themselves. */
export function eventRoutes(app: FastifyInstance, { store, clock, news, auths, streams }: EventParts): void {
  const open = new Set<() => void>()
  const waits = new Waits()
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const end of open) end()
  })

  const schema = {
    hide: true,
    summary: 'Changes as they happen, as server-sent events',
    response: textOf('text/event-stream', '`house` or `keys`, without content: look again.'),
  }
  app.get('/events', { config: { waits: true }, schema }, async (request, reply) => {
    const { raw } = reply
    waits.begin(request.signedIn.accountId, reply)
    const say = (what: 'clock' | 'house' | 'keys') => {
      // A look may end after the stream, and such a write is an error that nothing catches.
      if (raw.writableEnded) return
      const event: ServiceEvent = { now: clock.now() }
      raw.write(`event: ${what}\ndata: ${JSON.stringify(event)}\n\n`)
    }
    const watch = new AccountWatch(store, clock, request.signedIn.accountId, say)
    // Subscribed before the first event: a page that got it misses nothing that happens after.
    await watch.look()
    reply.hijack()
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Nothing follows on it, and kept open it would hold up a service that ends.
      connection: 'close',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    })
    raw.write('retry: 3000\n\n')
    say('clock')
    const attempt = async (work: () => Promise<void>) => {
      try {
        await work()
      } catch (err) {
        request.log.warn({ err }, 'a page could not be notified of changes; it will poll')
        end()
      }
    }
    const checkSession = async () => {
      if (await sessionOf(request, reply, auths)) say('clock')
      else end()
    }
    const recheck = () => void attempt(checkSession)
    streams.add(recheck)
    let turn = 0
    const timer = setInterval(() => {
      const isThorough = ++turn % THOROUGH_EVERY === 0
      if (isThorough) void attempt(checkSession)
      if (isThorough || !news.isLive) void attempt(() => watch.look())
    }, TURN_MS)
    let soon: NodeJS.Timeout | undefined
    let lookedAtMs = Number.NEGATIVE_INFINITY
    const unsubscribe = news.subscribe((what) => {
      if (what.kind === 'session' && what.accountId === request.signedIn.accountId) recheck()
      if (!watch.isConcernedBy(what)) return
      const look = () => {
        soon = undefined
        lookedAtMs = performance.now()
        void attempt(() => watch.look())
      }
      soon ??= setTimeout(look, Math.max(0, lookedAtMs + LOOK_EVERY_MS - performance.now()))
    })
    const end = () => {
      unsubscribe()
      clearTimeout(soon)
      clearInterval(timer)
      open.delete(end)
      streams.delete(recheck)
      raw.end()
      lingerBriefly(raw)
    }
    open.add(end)
    raw.on('close', end)
    // A page that was just being let in would else keep the service from ending.
    if (raw.destroyed || isClosing) return end()
    await attempt(() => watch.look())
  })
}

/** What an account's pages show, compared with how it was at the last look. */
class AccountWatch {
  readonly #store: Store
  readonly #clock: Clock
  readonly #accountId: string
  readonly #onChange: (what: 'house' | 'keys') => void
  #buildingIds = new Set<string>()
  #last: { house: string; keys: string } | undefined
  #looking: Promise<void> | undefined
  #isMore = false

  constructor(store: Store, clock: Clock, accountId: string, onChange: (what: 'house' | 'keys') => void) {
    this.#store = store
    this.#clock = clock
    this.#accountId = accountId
    this.#onChange = onChange
  }

  isConcernedBy(what: Happening): boolean {
    switch (what.kind) {
      case 'anything':
        return true
      case 'heard':
        return what.buildingIds.some((id) => this.#buildingIds.has(id))
      case 'building':
        return what.accountId === this.#accountId || this.#buildingIds.has(what.buildingId)
      case 'key':
        return what.accountId === this.#accountId
      case 'session':
        return false
    }
  }

  /** Asked for during a look, it looks once more: the change may have come after its eyes had passed. */
  look(): Promise<void> {
    this.#isMore = this.#looking !== undefined
    this.#looking ??= this.#lookUntilDone().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookUntilDone(): Promise<void> {
    do {
      this.#isMore = false
      await this.#lookOnce()
    } while (this.#isMore)
  }

  async #lookOnce(): Promise<void> {
    const now = await fingerprintOf(this.#store, this.#accountId, this.#clock.now())
    const last = this.#last
    this.#last = now
    if (now.house !== last?.house)
      this.#buildingIds = new Set(await buildingIdsOf(this.#store, this.#accountId, this.#clock.now()))
    if (!last) return
    for (const what of ['house', 'keys'] as const) if (now[what] !== last[what]) this.#onChange(what)
  }
}
