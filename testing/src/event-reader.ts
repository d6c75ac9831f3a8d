/** One server-sent event. */
export interface SentEvent {
  name: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  data: any
}

/** A stream of `/v1/events` as a program reads it. */
export class EventReader {
  readonly answer: Response
  readonly #controller: AbortController
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #decoder = new TextDecoder()
  #text = ''

  constructor(answer: Response, controller: AbortController) {
    this.answer = answer
    this.#controller = controller
    this.#reader = answer.body?.getReader()
  }

  static async open(
    url: string,
    key: string,
    { after, query = '' }: { after?: string; query?: string } = {},
  ): Promise<EventReader> {
    const controller = new AbortController()
    const answer = await fetch(`${url}/v1/events${query}`, {
      headers: {
        accept: 'text/event-stream',
        'x-api-key': key,
        ...(after !== undefined && { 'last-event-id': after }),
      },
      signal: controller.signal,
    })
    return new EventReader(answer, controller)
  }

  /** The next event; undefined once the stream has ended or broken off. */
  async next(): Promise<SentEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        const event = eventIn(block)
        if (event) return event
        continue
      }
      const chunk = await this.#reader?.read().catch(() => undefined)
      if (!chunk || chunk.done) return undefined
      this.#text += this.#decoder.decode(chunk.value, { stream: true })
    }
  }

  /** The first event that is as wanted, with those before it. */
  async until(isWanted: (event: SentEvent) => boolean): Promise<SentEvent[]> {
    const events: SentEvent[] = []
    for (;;) {
      const event = await this.next()
      if (!event) throw new Error(`the stream ended after ${JSON.stringify(events.map(({ data }) => data))}`)
      events.push(event)
      if (isWanted(event)) return events
    }
  }

  close(): void {
    this.#controller.abort()
  }
}

/** Undefined for a comment or an instruction to the reader. */
function eventIn(block: string): SentEvent | undefined {
  const lines = block.split('\n')
  const fieldOf = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2)
  const [name, id, data] = [fieldOf('event'), fieldOf('id'), fieldOf('data')]
  return name !== undefined && id !== undefined && data !== undefined ? { name, id, data: JSON.parse(data) } : undefined
}
