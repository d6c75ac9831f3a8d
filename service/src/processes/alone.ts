/** Does work that only one process is to do at a time, unless another is at it. The signal says that this has ended. */
export type Alone = (job: string, work: (lost: AbortSignal) => Promise<unknown>) => Promise<void>

/** For a database that one process has to itself. */
export const undisturbed: Alone = async (_job, work) => {
  await work(new AbortController().signal)
}
