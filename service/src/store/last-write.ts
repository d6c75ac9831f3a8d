import { isStoreError } from './store.ts'

/** Whether the last write failed because the database cannot take any: a full disk answers reads all the same. */
export class LastWrite {
  #problem: string | undefined

  get problem(): string | undefined {
    return this.#problem
  }

  async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#problem = undefined
      return result
    } catch (error) {
      this.#note(error)
      throw error
    }
  }

  /** Of several that stand or fall each by itself. */
  async watchEach<T>(work: () => Promise<PromiseSettledResult<T>[]>): Promise<PromiseSettledResult<T>[]> {
    const results = await work()
    const failed = results.filter((result) => result.status === 'rejected')
    if (failed.length < results.length) this.#problem = undefined
    for (const { reason } of failed) this.#note(reason)
    return results
  }

  #note(error: unknown): void {
    if (isStoreError(error, 'unavailable')) this.#problem = (error as Error).message
  }
}
