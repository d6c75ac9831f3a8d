import { forgetLastState } from './last-state.ts'
import { queryClient, sessionQuery } from './queries.ts'

/** Nothing of an account stays on the device after signing out. */
export async function signedOut(): Promise<void> {
  await import('./push.ts').then(({ switchPushOff }) => switchPushOff()).catch(() => undefined)
  await forgetLastState()
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' })
  await queryClient.resetQueries({ queryKey: sessionQuery.queryKey })
}
