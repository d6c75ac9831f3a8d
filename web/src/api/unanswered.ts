import type { Query } from '@tanstack/react-query'
import { queryClient } from './queries.ts'

/** Of what is shown now. */
const UNANSWERED = {
  type: 'active',
  predicate: ({ state }: Query) => state.status === 'error' && state.data === undefined,
} as const

/** Why an answer that is waited for is missing; null while none is. */
export const whyUnanswered = (): unknown => queryClient.getQueryCache().findAll(UNANSWERED)[0]?.state.error ?? null

export const retryUnanswered = (): Promise<void> => queryClient.refetchQueries(UNANSWERED)
