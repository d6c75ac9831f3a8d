import type { Logger } from 'pino'
import { atMost } from './at-most.ts'

/** A turn that is asked to stop is given so long. What it has begun in the database then stands or falls as a whole. */
const PATIENCE_MS = 1000

/**
 * Runs work again and again with a pause between; a failure is logged and the next turn tries again. Work that takes many
 * steps looks at the signal before each.
 */
export function repeat(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
  logger: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> = Promise.resolve()
  const complain = (err: unknown) => {
    if (!stopping.signal.aborted) logger.error({ err }, 'recurring work failed; it is tried again')
  }
  const next = () => {
    timer = setTimeout(() => {
      turn = work(stopping.signal)
        .then(() => undefined, complain)
        .finally(() => {
          if (!stopping.signal.aborted) next()
        })
    }, everyMs)
  }
  next()
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await atMost(PATIENCE_MS, turn)
    },
  }
}
