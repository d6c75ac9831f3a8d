import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in these, whatever the machine. */
const TICKS_PER_S = 100

/** Processor time of a process and its children in seconds, by the kernel's own books; 0 where there are none. */
export function cpuSecondsOf(pid: number): number {
  const own = statOf(pid)
  if (!own) return 0
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid)
  const ticks = own.ticks + own.endedChildrenTicks + children.reduce((sum, child) => sum + child.ticks, 0)
  return ticks / TICKS_PER_S
}

function statOf(pid: number): { parent: number; ticks: number; endedChildrenTicks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the last bracket may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((i) => Number(fields[i]))
    return {
      parent: parent ?? 0,
      ticks: (user ?? 0) + (system ?? 0),
      endedChildrenTicks: (endedUser ?? 0) + (endedSystem ?? 0),
    }
  } catch {
    return undefined
  }
}

/** Processor time of a process so far in microseconds, by the scheduler's finer books; ended threads are not in them. */
export function threadTimeUs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000
}
