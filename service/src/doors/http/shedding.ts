import { isOfPrograms } from '@hypocaust/domain/facts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemClock } from '../../base/clock.ts'
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
}

type Kind = 'read' | 'write'

export interface Shedding {
  /** A request that waits for its turn is no load meanwhile. */
  withoutCounting(reply: FastifyReply, turn: Promise<void>): Promise<void>
}

const MOST_READS = 200
const MOST_WRITES = 1000

/** Made once: its stack costs more than the refusal. */
const OVERLOADED = errors.overloaded()

/** These keep the process in service, and cost next to nothing. */
const NEVER_REFUSED = /^\/(?:health|metrics)(?:\/|$)/
/** A file of the website lies ready and costs no more than a refusal; its page can say in words what is wrong. */
const isRefusable = (path: string): boolean => isOfPrograms(path) && !NEVER_REFUSED.test(path)
/**
 * Beyond what the process can carry, requests are refused before any work is done for them, with 503 and Retry-After:
 * first reads, which come again by themselves, and changes only at a multiple of that.
 */
export function shedLoad(app: FastifyInstance, parts: SheddingParts): Shedding {
  const { mostReads = MOST_READS, mostWrites = MOST_WRITES, isBehind = () => false, isLate = lateLoop(app) } = parts
  const underWay = { read: 0, write: 0 }
  const complaints = new OncePerMinute(systemClock)
  const counted = new WeakMap<FastifyReply, () => void>()
  const mayRead = () => underWay.read < mostReads && !isBehind() && !isLate()
  const mayWrite = () => underWay.write < mostWrites
  /** Until what is returned is called. */
  const count = (kind: Kind) => {
    underWay[kind]++
    return () => {
      underWay[kind]--
    }
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
      counted.set(reply, count(kind))
      reply.raw.once('close', () => counted.get(reply)?.())
    }
    done()
  })
  const withoutCounting = async (reply: FastifyReply, turn: Promise<void>) => {
    counted.get(reply)?.()
    counted.delete(reply)
    await turn
    // Counted again only where a response is left whose end ends the count.
    if (!reply.raw.destroyed) counted.set(reply, count(kindOf(reply.request)))
  }
  return { withoutCounting }
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
