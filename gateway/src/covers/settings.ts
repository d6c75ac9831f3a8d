/** A blind or shutter outside a window. Positions are percent: 100 is open. */
export interface CoverSettings {
  name: string
  topic: string
  /** With `{position}`. */
  payload: string
  /** Where it reports its position. */
  state: { topic: string; path: string | null }
}
