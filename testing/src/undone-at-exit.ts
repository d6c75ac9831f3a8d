/**
 * For what a test run sets up: undone when it is over, and also when Ctrl-C ends it, which Vitest does without its own
 * clearing up. What was set up last is undone first.
 */
export function undoneAtExit(undo: () => void): () => void {
  const once = () => {
    process.off('exit', once)
    undo()
  }
  process.prependListener('exit', once)
  return once
}
