import { longestOpeningMs } from '@hypocaust/control'
import { type FloorType, HOUR_MS, type RunningLoops, timestampOf } from '@hypocaust/domain'
import { hoursOf } from '@hypocaust/domain/facts'
import { isPast, kindOf, openTrial, runOf } from './run.ts'
import { type ScreedRun, stepAt } from './screed-run.ts'

/** A test or a search as long as it runs, for everybody in the building; null where none does. */
export function runningLoops(
  text: string | null,
  rooms: { floor_type: FloorType }[],
  nowMs: number,
): RunningLoops | null {
  const run = runOf(text)
  if (!run || run.ended || isPast(run, nowMs)) return null
  if (run.kind === 'screed') return runningScreed(run, nowMs)
  const longestMs = longestOpeningMs(rooms.map(({ floor_type }) => ({ floorType: floor_type })))
  const waiting = run.trials.filter(({ openedMs }) => openedMs === null).length
  const openMs = openTrial(run)?.openedMs ?? nowMs
  return {
    kind: kindOf(run),
    started_at: timestampOf(run.startedMs),
    ends_by: timestampOf(run.untilMs ?? openMs + longestMs * (waiting + (openTrial(run) ? 1 : 0))),
    done: run.trials.filter(({ closedMs }) => closedMs !== null).length,
    all: run.trials.length,
  }
}

/** Its end is the earliest one: whatever interrupts it puts it off. */
function runningScreed(run: ScreedRun, nowMs: number): RunningLoops {
  const leftMs = hoursOf(run.steps) * HOUR_MS - run.heldMs
  return {
    kind: kindOf(run),
    started_at: timestampOf(run.startedMs),
    ends_by: timestampOf(nowMs + leftMs),
    done: stepAt(run),
    all: run.steps.length,
  }
}
