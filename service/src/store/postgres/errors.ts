import { StoreError, type StoreErrorKind } from '../store.ts'

const BY_CODE: Record<string, StoreErrorKind> = {
  '23502': 'not_null',
  '23503': 'foreign_key',
  '23505': 'unique',
  HCM01: 'moving',
}

/** Classes of PostgreSQL's error codes that pass by themselves: connections, resources, locks, its machine, its stopping. */
const PASSING_CLASSES = ['08', '53', '55', '57', '58', '40', '25']

/** Node's own of a connection that is gone, without a call of the system. */
const CODES_OF_NODE = /^(?:EPIPE|ECONNRESET|ERR_SOCKET_CLOSED|ERR_STREAM_\w+)$/

export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeErrorOf(error)
  }
}

export function storeErrorOf(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const isPassing =
    PASSING_CLASSES.includes(code.slice(0, 2)) ||
    isOfTheNetwork(error) ||
    CODES_OF_NODE.test(code) ||
    /timeout|terminated|Connection ended|not queryable|pool after calling end/i.test(error.message)
  return new StoreError(BY_CODE[code] ?? (isPassing ? 'unavailable' : 'other'), error.message)
}

/** The system's: no route, no name, refused, reset. Where a name has several addresses, one for each. */
const isOfTheNetwork = (error: Error): boolean =>
  'syscall' in error || (error instanceof AggregateError && error.errors.some(isOfTheNetwork))

/** The server has ended the connection: whatever comes on it later is nobody's. */
export const isServerGone = (error: unknown): error is Error =>
  error instanceof Error && (error as { severity?: string }).severity === 'FATAL'

/** The transaction was ended so that another could go on. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '40P01'

/** Others held the lock for longer than this connection waits. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '55P03'

/** A table has got another shape since the statement was prepared, by a newer process beside this one. */
export const isPlanOutdated = (error: unknown): error is Error =>
  error instanceof Error && (error as { code?: string }).code === '0A000' && /cached plan/.test(error.message)
