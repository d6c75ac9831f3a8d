import type { Compilable } from 'kysely'

/** Writes that stand or fall together. */
export interface Batch {
  queries: Compilable[]
  limits?: Limit[] | undefined
}

/** How many rows there may be after a batch. Batches with a limit on the same owner run one after the other. */
export interface Limit {
  /** The account or building that has the rows. */
  ownerId: string
  /** A select of one number. */
  count: Compilable
  most: number
  /** The message of the StoreError `limit`. */
  name: string
}
