import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Where spans of other processes join a trace. */
export interface SpanContext {
  traceId: string
  spanId: string
}

interface SpanParts {
  name: string
  kind: SpanKind
  /** Called once, when the span has ended. */
  onEnd(span: Span): void
  parent?: SpanContext | undefined
  /** Made anew unless given. */
  spanId?: string
  /** Now, unless given. */
  startMs?: number | undefined
}

/** A piece of work of one trace, with its time. Attributes name nobody: neither people nor buildings, keys or values. */
export class Span implements SpanContext {
  readonly name: string
  readonly kind: SpanKind
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly startMs: number
  readonly attributes: Record<string, string | number> = {}
  endMs = 0
  failed = false
  readonly #onEnd: SpanParts['onEnd']

  constructor({ name, kind, onEnd, parent, spanId, startMs }: SpanParts) {
    this.name = name
    this.kind = kind
    this.traceId = parent?.traceId ?? newId(16)
    this.spanId = spanId ?? newId(8)
    this.parentId = parent?.spanId
    this.startMs = startMs ?? nowMs()
    this.#onEnd = onEnd
  }

  child(name: string, kind: SpanKind = 'internal', more: Pick<SpanParts, 'spanId' | 'startMs'> = {}): Span {
    return new Span({ name, kind, onEnd: this.#onEnd, parent: this, ...more })
  }

  end(endMs = nowMs()): void {
    if (this.endMs > 0) return
    this.endMs = Math.max(this.startMs, endMs)
    this.#onEnd(this)
  }
}

const newId = (bytes: number): string => randomBytes(bytes).toString('hex')

/** The time of day, finer than a millisecond. */
export const nowMs = (): number => {
  const elapsedMs = performance.now()
  const behindMs = Date.now() - elapsedMs
  // The offset is taken again when somebody has set the clock, and else stays, so that durations are exact.
  if (Math.abs(behindMs - offsetMs) > 2) offsetMs = behindMs
  return offsetMs + elapsedMs
}

let offsetMs = 0

const current = new AsyncLocalStorage<Span | undefined>()

/** The span that the present work belongs to. */
export const spanNow = (): Span | undefined => current.getStore()

/** What work belongs to from here on; undefined: to none. */
export const within = <T>(span: Span | undefined, work: () => T): T => current.run(span, work)

/** Runs work as a span of its own below the present one; without a present one it runs untraced. */
export function inSpan<T>(name: string, work: () => T): T {
  const parent = spanNow()
  return parent ? during(parent.child(name), work) : work()
}

/** Ends the span with the work. */
export function during<T>(span: Span, work: () => T): T {
  const fail = (error: unknown): never => {
    span.failed = true
    span.end()
    throw error
  }
  try {
    const result = within(span, work)
    if (!(result instanceof Promise)) {
      span.end()
      return result
    }
    const ended = result.then((value) => {
      span.end()
      return value
    }, fail)
    return ended as T
  } catch (error) {
    return fail(error)
  }
}

/** As W3C writes it, for a trace that is recorded. */
export const traceparentOf = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`

/** Of the span that the present work belongs to. */
export function traceparentNow(): string | null {
  const span = spanNow()
  return span ? traceparentOf(span) : null
}

interface Traceparent extends SpanContext {
  isSampled: boolean
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined for what W3C calls invalid. A later version may have more at its end. */
export function parseTraceparent(text: unknown): Traceparent | undefined {
  if (typeof text !== 'string' || text.length > MOST_CHARACTERS) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = FORM.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

const MOST_CHARACTERS = 256
