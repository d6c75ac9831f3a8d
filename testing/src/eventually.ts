const FIRST_WAIT_MS = 10
const LONGEST_WAIT_MS = 80

/**
 * Asks again and again until it holds, less often the longer it takes: a wait should leave the processor to what is
 * waited for. The test's own time-out ends it.
 */
export async function eventually<T>(find: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(1.25 * waitMs, LONGEST_WAIT_MS)) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
