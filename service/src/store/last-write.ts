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
      if (isStoreError(error, 'unavailable')) this.#problem = (error as Error).message
      throw error
    }
  }
}
