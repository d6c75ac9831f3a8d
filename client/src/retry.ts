import { HypocaustError } from './error.ts'

/** Time and chance, so that a test can hold both still. */
export interface Surroundings {
  now(): number
  random(): number
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Where a test puts them among the options of a client. */
export const SURROUNDINGS = Symbol('surroundings')

export const REAL_SURROUNDINGS: Surroundings = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/** Twice as long each time, somewhere in the upper half, so that a thousand clients do not come back at one moment. */
export function backOffMs(attempt: number, random: number): number {
  const fullMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10))
  return fullMs * (0.5 + random / 2)
}

/** What the service asks for, or else the back-off. */
export function waitMsAfter(error: HypocaustError, attempt: number, random: number): number {
  const asked = error.retryAfterS
  return asked === undefined ? backOffMs(attempt, random) : asked * 1000
}

/** A failure inside the service, and a name that was known a moment ago, are worth another look: there is no hurry. */
export const passesInTime = ({ isTransient, status = 0, code }: HypocaustError, hasSeen: boolean): boolean =>
  isTransient || status >= 500 || (code === 'unknown_host' && hasSeen)

export interface RetryOptions {
  /** How often to try again after the first time. */
  retries: number
  /** A wait longer than this is not waited for. */
  longestWaitMs: number
  signal?: AbortSignal
}

/** Only for work that may be done twice. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { retries, longestWaitMs, signal }: RetryOptions,
  surroundings: Surroundings,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HypocaustError) || !error.isTransient || attempt >= retries) throw error
      const waitMs = waitMsAfter(error, attempt, surroundings.random())
      if (waitMs > longestWaitMs) throw error
      await surroundings.sleep(waitMs, signal)
    }
  }
}
