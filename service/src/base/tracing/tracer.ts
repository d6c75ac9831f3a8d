import type { Span, SpanContext, SpanKind } from './span.ts'

/** Begins traces. */
export interface Tracer {
  /** Undefined where the trace is not recorded. `traceparent` is what a stranger says of a trace of its own. */
  begin(name: string, kind: SpanKind, traceparent?: unknown): Span | undefined
  /** A further span of a trace that this installation records, below the span that is named. */
  join(parent: SpanContext, name: string, more: { kind: SpanKind; startMs: number }): Span | undefined
  /** What only this installation can have written of a text, in hexadecimal digits. */
  signed(text: string): string
  /** Sends what is left. */
  stop(): Promise<void>
}

/** Where no address is set. */
export const NO_TRACES: Tracer = {
  begin: () => undefined,
  join: () => undefined,
  signed: () => '',
  stop: async () => {},
}
