import type { ServiceEvent } from '@hypocaust/domain'
import { checkConnection, noteConnection } from './freshness.ts'
import { noteServiceTime } from './now.ts'
import { queryClient } from './queries.ts'

const HOUSE = ['buildings', 'alerts', 'gateways', 'sensors', 'explanation']

/** Live without reload: the service says that something changed, and what is on the page is asked for anew. */
export function listenForChanges(): () => void {
  const source = new EventSource('/app/events')
  const refresh = (keys: string[]) => {
    for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] })
  }
  // After a lost connection something may have been missed.
  source.addEventListener('open', () => {
    noteConnection()
    refresh([...HOUSE, 'keys'])
  })
  source.addEventListener('error', () => void checkConnection())
  source.addEventListener('house', () => refresh(HOUSE))
  source.addEventListener('keys', () => refresh(['keys']))
  for (const name of ['clock', 'house', 'keys']) {
    source.addEventListener(name, ({ data }) => noteServiceTime((JSON.parse(data) as ServiceEvent).now))
  }
  const check = () => void checkConnection()
  addEventListener('offline', check)
  addEventListener('online', check)
  return () => {
    source.close()
    removeEventListener('offline', check)
    removeEventListener('online', check)
  }
}
