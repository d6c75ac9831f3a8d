import { isOfPrograms } from '@hypocaust/domain/facts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, systemClock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { OncePerMinute } from '../../base/once-per-minute.ts'
import { pathOf } from './errors.ts'

export interface SheddingParts {
  /** Answers to reads under way at a time; beyond, reads are refused. */
  mostReads?: number
  /** The same for changes, which are refused last. */
  mostWrites?: number
  /** Whether something more urgent than reads is falling behind: the intake of readings. */
  isBehind?(): boolean
  /** Whether the event loop has more work than it can do. */
  isLate?(): boolean
  clock?: Clock
}

type Kind = 'read' | 'write'

export interface Shedding {
  /** How much of what is worked on at a time is under way. */
  readonly fullness: number
  /** A request that waits for its turn is no load meanwhile. */
  withoutCounting(reply: FastifyReply, turn: Promise<void>): Promise<void>
}

const MOST_READS = 200
const MOST_WRITES = 1000
/** Some changes are slow by themselves, such as the removal of a building; this many at a time are a queue. */
export const FEW_WRITES = 32
/** A person who waits longer presses again, and so does a program: what is queued behind is worth no work. */
export const LONG_WRITE_MS = 2000

/** Made once: its stack costs more than the refusal. */
const OVERLOADED = errors.overloaded()

/** These keep the process in service, and cost next to nothing. */
const NEVER_REFUSED = /^\/(?:health|metrics)(?:\/|$)/
/** A file of the website lies ready and costs no more than a refusal; its page can say in words what is wrong. */
const isRefusable = (path: string): boolean => isOfPrograms(path) && !NEVER_REFUSED.test(path)
/**
 * Beyond what the process can carry, requests are refused before any work is done for them, with 503 and Retry-After:
 * first reads, which come again by themselves, and changes only at a multiple of that, or once they take too long.
 */
export function shedLoad(app: FastifyInstance, parts: SheddingParts): Shedding {
  const { mostReads = MOST_READS, mostWrites = MOST_WRITES, isBehind = () => false, isLate = lateLoop(app) } = parts
  const { clock = systemClock } = parts
  const underWay = { read: 0, write: 0 }
  let lastWriteTookMs = 0
  const complaints = new OncePerMinute(clock)
  /** When the work for it began. */
  const counted = new WeakMap<FastifyReply, number>()
  const mayRead = () => underWay.read < mostReads && !isBehind() && !isLate()
  const mayWrite = () => underWay.write < mostWrites && (underWay.write < FEW_WRITES || lastWriteTookMs < LONG_WRITE_MS)
  const begin = (reply: FastifyReply, kind: Kind) => {
    underWay[kind]++
    counted.set(reply, clock.elapsedMs())
  }
  const stop = (reply: FastifyReply, kind: Kind) => {
    if (counted.delete(reply)) underWay[kind]--
  }
  const end = (reply: FastifyReply, kind: Kind) => {
    const begunMs = counted.get(reply)
    if (kind === 'write' && begunMs !== undefined) lastWriteTookMs = clock.elapsedMs() - begunMs
    stop(reply, kind)
  }
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.url)
    if (!isRefusable(path)) return done()
    const kind = kindOf(request)
    if (!(kind === 'read' ? mayRead() : mayWrite())) {
      if (complaints.isFirst(kind))
        app.log.warn({ kind, under_way: underWay[kind] }, 'overloaded: requests are refused with 503')
      return done(OVERLOADED)
    }
    if (!request.routeOptions.config.waits) {
      begin(reply, kind)
      reply.raw.once('close', () => end(reply, kind))
    }
    done()
  })
  const withoutCounting = async (reply: FastifyReply, turn: Promise<void>) => {
    // One that waited for news before is not counted, and nothing would end a count of it.
    if (!counted.has(reply)) return turn
    const kind = kindOf(reply.request)
    stop(reply, kind)
    await turn
    // Counted again only where a response is left whose end ends the count.
    if (!reply.raw.destroyed) begin(reply, kind)
  }
  return {
    withoutCounting,
    get fullness() {
      return Math.max(underWay.read / mostReads, underWay.write / mostWrites)
    },
  }
}

const kindOf = ({ method }: FastifyRequest): Kind =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write'

const LOOK_EVERY_MS = 100
const LATE_MS = 1000
/** One long pause is no overload: a garbage collection, a machine that slept. */
const LATE_IN_A_ROW = 3

function lateLoop(app: FastifyInstance): () => boolean {
  let lateInARow = 0
  let lookedMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    lateInARow = nowMs - lookedMs > LOOK_EVERY_MS + LATE_MS ? lateInARow + 1 : 0
    lookedMs = nowMs
  }, LOOK_EVERY_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return () => lateInARow >= LATE_IN_A_ROW
}
