import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from './eventually.ts'

type Attributes = Record<string, string>

/** A span as it came over the wire. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
  attributes: Attributes
  resource: Attributes
}

interface ReceivedExport {
  path: string
  headers: IncomingHttpHeaders
  body: string
  spans: ReceivedSpan[]
}

/** A collector of traces, on loopback: it reads the JSON of OTLP. */
export class TraceCollector {
  /** All exports, also those it refused. */
  readonly exports: ReceivedExport[] = []
  /** Those it has taken. */
  readonly spans: ReceivedSpan[] = []
  /** What it answers next. */
  answer: (received: ReceivedExport) => number | Promise<number> = () => 200
  readonly #server: Server = createServer(async (request, response) => {
    try {
      const body = await text(request)
      const received = { path: request.url ?? '', headers: request.headers, body, spans: spansIn(body) }
      this.exports.push(received)
      const status = await this.answer(received)
      if (status === 200) this.spans.push(...received.spans)
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    } catch {
      // The service has gone away in the middle.
    }
  })

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async start(port = 0): Promise<void> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening')
  }

  /** The spans of one trace, once they are what is wanted. */
  trace(isWhole: (spans: ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]> {
    return eventually(() => [...Map.groupBy(this.spans, ({ traceId }) => traceId).values()].find(isWhole))
  }

  /** Nobody answers on its port any more. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

type Wire = { key: string; value: { stringValue?: string; intValue?: string } }[]

const attributesOf = (wire: Wire): Attributes =>
  Object.fromEntries(wire.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']))

interface WireExport {
  resourceSpans: {
    resource: { attributes: Wire }
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes' | 'resource'> & { attributes: Wire })[] }[]
  }[]
}

const spansIn = (body: string): ReceivedSpan[] =>
  (JSON.parse(body) as WireExport).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource.attributes),
      })),
    ),
  )

/** How the spans hang together: each as "parent > child", in the order of the names. */
export const lineage = (spans: ReceivedSpan[]): string[] =>
  spans
    .map(({ name, parentSpanId }) => {
      const parent = spans.find(({ spanId }) => spanId === parentSpanId)
      return parent ? `${parent.name} > ${name}` : name
    })
    .sort()
