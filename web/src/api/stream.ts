import type { ServiceEvent } from '@hypocaust/domain'

/** What a stream reports: that it is open or lost, the service's time, or that something changed. */
export type StreamEvent = { kind: 'open' | 'lost' } | { kind: 'clock' | 'house' | 'keys'; now: number }

export type TabMessage = { kind: 'listen'; accountId: string; url: string } | { kind: 'leave' }

export interface Stream {
  close(): void
  /** For a listener that comes later; undefined unless the stream is open. */
  latest(): StreamEvent | undefined
}

const NAMES = ['clock', 'house', 'keys'] as const
const REOPEN_MS = 5000

/** The service's events, also after a refusal: a browser by itself only reopens after a lost connection. */
export function openStream(url: string, onEvent: (event: StreamEvent) => void): Stream {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let aheadMs: number | undefined
  const open = () => {
    source = new EventSource(url)
    source.addEventListener('open', () => onEvent({ kind: 'open' }))
    source.addEventListener('error', () => {
      onEvent({ kind: 'lost' })
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS)
    })
    for (const kind of NAMES) {
      source.addEventListener(kind, ({ data }) => {
        const { now } = JSON.parse(data) as ServiceEvent
        aheadMs = now - Date.now()
        onEvent({ kind, now })
      })
    }
  }
  open()
  return {
    close: () => {
      clearTimeout(timer)
      source.close()
    },
    latest: () =>
      source.readyState === EventSource.OPEN && aheadMs !== undefined
        ? { kind: 'clock', now: Date.now() + aheadMs }
        : undefined,
  }
}
