/** Time as an argument: the one of the wall, a faster one, or one a test moves by hand. */
export type Clock = {
  now(): number
  /** Calls `tick` every `ms` of this clock; returns how to stop. */
  every(ms: number, tick: () => void): () => void
}
