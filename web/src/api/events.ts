import { BASE } from './base.ts'
import { checkConnection, noteConnection } from './freshness.ts'
import { noteServiceTime } from './now.ts'
import { buildingsKey, overviewQuery, queryClient } from './queries.ts'
import { openStream, type StreamEvent, type TabMessage } from './stream.ts'
import { retryUnanswered } from './unanswered.ts'

const URL_OF_EVENTS = `${BASE}/app/events`
const HOUSE = [
  ...buildingsKey,
  'alerts',
  'gateways',
  'sensors',
  'explanation',
  'outlook',
  'members',
  'invitations',
  'changes',
]

/** Live without reload: the service says that something changed, and what is on the page is asked for anew. */
export function listenForChanges(accountId: string): () => void {
  let leave = listen(accountId)
  // A page kept for "back" must not hold a connection; shown again, it may have missed something.
  const hide = () => leave()
  const show = ({ persisted }: PageTransitionEvent) => {
    if (persisted) leave = listen(accountId)
  }
  const check = () => void checkConnection()
  addEventListener('pagehide', hide)
  addEventListener('pageshow', show)
  addEventListener('offline', check)
  addEventListener('online', check)
  return () => {
    leave()
    removeEventListener('pagehide', hide)
    removeEventListener('pageshow', show)
    removeEventListener('offline', check)
    removeEventListener('online', check)
  }
}

/** By the worker that all tabs share; where there is none, or it cannot be loaded, by a stream of the tab's own. */
function listen(accountId: string): () => void {
  if (!('SharedWorker' in window)) return openStream(URL_OF_EVENTS, note).close
  const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), { name: 'events' })
  const { port } = worker
  const say = (message: TabMessage) => port.postMessage(message)
  let leave = () => {
    say({ kind: 'leave' })
    port.close()
  }
  worker.addEventListener('error', () => {
    leave()
    leave = openStream(URL_OF_EVENTS, note).close
  })
  port.addEventListener('message', ({ data }: MessageEvent<StreamEvent>) => note(data))
  port.start()
  say({ kind: 'listen', accountId, url: URL_OF_EVENTS })
  return () => leave()
}

function note(event: StreamEvent): void {
  switch (event.kind) {
    case 'open':
      // After a lost connection something may have been missed.
      noteConnection()
      refresh([...HOUSE, 'keys'])
      void retryUnanswered()
      break
    case 'lost':
      void checkConnection()
      break
    default:
      noteConnection()
      noteServiceTime(event.now)
      if (event.kind !== 'clock') refresh(event.kind === 'house' ? HOUSE : ['keys'])
  }
}

function refresh(keys: string[]): void {
  for (const key of keys) {
    void queryClient.invalidateQueries({ queryKey: [key], predicate: (query) => !isOverview(query) })
    if (key === buildingsKey[0]) refreshOverview()
  }
}

const isOverview = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey.join() === overviewQuery.queryKey.join()

/** Among many buildings one changes at every moment, and what they need seldom: asked for at once, then with a pause. */
const OVERVIEW_EVERY_MS = 5000
let overviewDueMs = 0
let overviewTimer: number | undefined

function refreshOverview(): void {
  if (overviewTimer !== undefined) return
  overviewTimer = window.setTimeout(() => {
    overviewTimer = undefined
    overviewDueMs = performance.now() + OVERVIEW_EVERY_MS
    void queryClient.invalidateQueries({ queryKey: overviewQuery.queryKey })
  }, overviewDueMs - performance.now())
}
