/** Asks again and again until it holds; the test's own time-out ends the wait. */
export async function eventually<T>(find: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
