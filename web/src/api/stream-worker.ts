// One for all tabs of the browser: a browser has six connections to a host, and a stream keeps one of them.
import { openStream, type Stream, type TabMessage } from './stream.ts'

interface SharedScope {
  addEventListener(type: 'connect', listener: (event: MessageEvent) => void): void
}

const tabs = new Set<MessagePort>()
let current: { accountId: string; stream: Stream } | undefined

;(self as unknown as SharedScope).addEventListener('connect', ({ ports: [tab] }) => {
  if (!tab) return
  tab.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'listen') listen(tab, data.accountId, data.url)
    else leave(tab)
  })
  tab.start()
})

function listen(tab: MessagePort, accountId: string, url: string): void {
  tabs.add(tab)
  const kept = current?.accountId === accountId ? current.stream.latest() : undefined
  if (kept) {
    tab.postMessage(kept)
    return
  }
  current?.stream.close()
  const stream = openStream(url, (event) => {
    for (const each of tabs) each.postMessage(event)
  })
  current = { accountId, stream }
}

function leave(tab: MessagePort): void {
  tabs.delete(tab)
  if (tabs.size > 0) return
  current?.stream.close()
  current = undefined
}
