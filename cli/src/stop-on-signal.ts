const STOP_LIMIT_MS = 10_000

/** Ends with 0 once `stop` is done; with 1 when it takes too long, or at once on a second signal. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false
  const onSignal = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await stop()
    process.exit(0)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
