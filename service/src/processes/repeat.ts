import type { Logger } from 'pino'

/** Runs work again and again with a pause between; a failure is logged and the next turn tries again. */
export function repeat(everyMs: number, work: () => Promise<unknown>, logger: Logger): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let turn: Promise<void> = Promise.resolve()
  const next = () => {
    timer = setTimeout(() => {
      turn = work()
        .then(
          () => undefined,
          (err) => logger.error({ err }, 'recurring work failed; it is tried again'),
        )
        .finally(() => {
          if (!isStopped) next()
        })
    }, everyMs)
  }
  next()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await turn
    },
  }
}
