/** Does work that only one process is to do at a time, unless another is at it. The signal says that this has ended. */
export type RunExclusively = (job: string, work: (lost: AbortSignal) => Promise<unknown>) => Promise<void>

/** For a database that one process has to itself. */
export const runUnshared: RunExclusively = async (_job, work) => {
  await work(new AbortController().signal)
}
