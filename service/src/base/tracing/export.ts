import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { systemClock } from '../clock.ts'
import type { Metrics } from '../metrics.ts'
import { OncePerMinute } from '../once-per-minute.ts'
import { post } from '../post.ts'
import { VERSION } from '../version.ts'
import { exportOf } from './otlp.ts'
import type { TracingSettings } from './settings.ts'
import { parseTraceparent, Span, type SpanContext, type SpanKind } from './span.ts'
import type { Tracer } from './tracer.ts'

interface ExportParts {
  settings: TracingSettings
  /** The same for all processes of one database, and known to nobody else. */
  key: string
  metrics: Pick<Metrics, 'spans'>
  logger: Logger
}

/** What waits for the collector; further spans are dropped. */
const MOST_WAITING = 2048
const MOST_AT_ONCE = 512
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** On shutdown, for what is left. */
const LAST_EXPORT_MS = 1000

/** By the OTLP specification, those after which the same export is tried again. */
const PASSING = [429, 502, 503, 504]
const TOO_LARGE = 413

/** Samples traces and sends them to a collector by OTLP over HTTP. Nothing in the service waits for it. */
export class TraceExport implements Tracer {
  readonly #parts: ExportParts
  readonly #complaints = new OncePerMinute(systemClock)
  readonly #ending = new AbortController()
  readonly #onEnd = (span: Span) => this.#add(span)
  #waiting: Span[] = []
  #atOnce = MOST_AT_ONCE
  #pauseMs = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isStopped = false

  constructor(parts: ExportParts) {
    this.#parts = parts
  }

  /** By chance, and not by the id of the trace, which the caller has chosen. */
  begin(name: string, kind: SpanKind, traceparent?: unknown): Span | undefined {
    const { ratio, followsCaller } = this.#parts.settings
    const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent)
    if (followsCaller && parent?.isSampled === false) return undefined
    if (Math.random() >= ratio) return undefined
    return new Span({ name, kind, parent, onEnd: this.#onEnd })
  }

  join(parent: SpanContext, name: string, more: { kind: SpanKind; startMs: number }): Span {
    return new Span({ name, parent, onEnd: this.#onEnd, ...more })
  }

  signed(text: string): string {
    return createHmac('sha256', this.#parts.key).update(text).digest('hex')
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isStopped = true
    const limit = setTimeout(() => this.#ending.abort(), LAST_EXPORT_MS)
    await this.#sending
    await this.#send()
    clearTimeout(limit)
    this.#count('dropped', this.#waiting.splice(0).length)
  }

  #add(span: Span): void {
    if (this.#waiting.length >= MOST_WAITING) this.#count('dropped', 1)
    else this.#waiting.push(span)
    this.#sendSoon()
  }

  #sendSoon(): void {
    if (this.#sending || this.#isStopped) return
    const isFull = this.#waiting.length >= MOST_AT_ONCE && this.#pauseMs === 0
    if (this.#timer && !isFull) return
    clearTimeout(this.#timer)
    const { gatherMs } = this.#parts.settings
    const afterMs = isFull ? 0 : Math.max(gatherMs, this.#pauseMs)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#sending = this.#send().finally(() => {
        this.#sending = undefined
        if (this.#waiting.length > 0) this.#sendSoon()
      })
    }, afterMs).unref()
  }

  /** Until nothing waits, or the collector is to be asked again later. */
  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.slice(0, this.#atOnce)
      const status = await this.#post(spans)
      if (status === undefined || PASSING.includes(status)) {
        this.#pauseMs = Math.min(Math.max(2 * this.#pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
        return this.#complain(status)
      }
      this.#pauseMs = 0
      if (status === TOO_LARGE && spans.length > 1) {
        this.#atOnce = Math.ceil(spans.length / 2)
        continue
      }
      this.#waiting.splice(0, spans.length)
      const isTaken = status >= 200 && status <= 299
      this.#count(isTaken ? 'exported' : 'dropped', spans.length)
      if (!isTaken) this.#complain(status)
    }
  }

  /** The status, or undefined where there was no answer. */
  async #post(spans: Span[]): Promise<number | undefined> {
    const { url, headers, resource } = this.#parts.settings
    const body = exportOf(spans, { ...resource, 'service.version': VERSION }, VERSION)
    const whole = { 'content-type': 'application/json', 'user-agent': `Hypocaust/${VERSION}`, ...headers }
    return post(url, { headers: whole, body, stopping: this.#ending.signal }).catch(() => undefined)
  }

  #count(outcome: 'exported' | 'dropped', spans: number): void {
    if (spans > 0) this.#parts.metrics.spans.inc({ outcome }, spans)
  }

  #complain(status: number | undefined): void {
    if (this.#complaints.isFirst('collector'))
      this.#parts.logger.warn({ status }, 'the collector does not take traces; heating and requests are not affected')
  }
}
