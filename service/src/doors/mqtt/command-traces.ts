import type { Ack, PowerCommand } from '@hypocaust/domain'
import { nowMs, parseTraceparent, type Span, spanNow } from '../../base/tracing/span.ts'
import type { Tracer } from '../../base/tracing/tracer.ts'

type Numbered = Pick<PowerCommand, 'epoch' | 'seq'>

/**
 * The id that the span of a command has in a trace. No gateway can make it up: what is below it was recorded by the
 * operator's choice and not by that of a gateway.
 */
const spanIdOf = (tracer: Tracer, traceId: string, gatewayId: string, { epoch, seq }: Numbered): string =>
  tracer.signed(`${traceId} ${gatewayId} ${epoch} ${seq}`).slice(0, 16)

/** Of a command that present work sends; undefined where that is not traced. */
export function commandSpan(tracer: Tracer, gatewayId: string, command: Numbered): Span | undefined {
  const parent = spanNow()
  return parent?.child('command', 'producer', { spanId: spanIdOf(tracer, parent.traceId, gatewayId, command) })
}

/** An answer of a gateway to a command of which it names the trace: what the gateway did with it, and the intake. */
export function traceAnswer(tracer: Tracer, gatewayId: string, ack: Ack, receivedMs: number): void {
  const { traceparent, took_ms: tookMs, result } = ack
  const command = parseTraceparent(traceparent)
  if (!command || command.spanId !== spanIdOf(tracer, command.traceId, gatewayId, ack)) return
  if (isDuration(tookMs))
    tracer.join(command, 'gateway', { kind: 'consumer', startMs: receivedMs - tookMs })?.end(receivedMs)
  const answer = tracer.join(command, 'confirmation', { kind: 'consumer', startMs: receivedMs })
  if (!answer) return
  answer.attributes['hypocaust.result'] = result
  answer.end(nowMs())
}

const LONGEST_MS = 24 * 60 * 60_000

const isDuration = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= LONGEST_MS
