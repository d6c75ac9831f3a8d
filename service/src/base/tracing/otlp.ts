import type { Span, SpanKind } from './span.ts'

const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const FAILED = 2

type Attributes = Record<string, string | number>

/** The body of an export, as the OTLP specification writes it in JSON. */
export const exportOf = (spans: readonly Span[], resource: Attributes, version: string): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'hypocaust', version }, spans: spans.map(spanOf) }],
      },
    ],
  })

const spanOf = ({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, failed }: Span) => ({
  ...{ traceId, spanId, name, kind: KINDS[kind] },
  ...(parentId !== undefined && { parentSpanId: parentId }),
  startTimeUnixNano: nanosecondsOf(startMs),
  endTimeUnixNano: nanosecondsOf(endMs),
  attributes: attributesOf(attributes),
  status: failed ? { code: FAILED } : {},
})

const nanosecondsOf = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))
