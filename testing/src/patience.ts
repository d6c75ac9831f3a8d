/** What a busy machine may need: longer than any test waits in vain, and shorter than the limit of a test. */
export const PATIENCE_MS = 170_000
