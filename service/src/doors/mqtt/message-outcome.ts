import { isStoreError } from '../../store/store.ts'

type Result = PromiseSettledResult<unknown>

/** A lock that was not to be had, or a deadlock: not the message's fault. */
export const isPassing = (result: Result): boolean =>
  result.status === 'rejected' && isStoreError(result.reason, 'unavailable')

/** It stays in the buffer of the gateway, for the service that the building moves to. */
export const isMoving = (result: Result): boolean =>
  result.status === 'rejected' && isStoreError(result.reason, 'moving')

export function outcomeOf(result: Result): 'stored' | 'duplicate' | 'failed' {
  if (result.status === 'fulfilled') return 'stored'
  return isStoreError(result.reason, 'unique') ? 'duplicate' : 'failed'
}
