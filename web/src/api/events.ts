import { queryClient } from './queries.ts'

const HOUSE = ['buildings', 'alerts', 'gateways', 'sensors', 'explanation']

/** Live without reload: the service says that something changed, and what is on the page is asked for anew. */
export function listenForChanges(): () => void {
  const source = new EventSource('/app/events')
  const refresh = (keys: string[]) => {
    for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] })
  }
  // After a lost connection something may have been missed.
  source.addEventListener('open', () => refresh([...HOUSE, 'keys']))
  source.addEventListener('house', () => refresh(HOUSE))
  source.addEventListener('keys', () => refresh(['keys']))
  return () => source.close()
}
