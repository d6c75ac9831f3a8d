import { longestOpeningMs } from '@hypocaust/control'
import { type FloorType, type RunningLoops, timestampOf } from '@hypocaust/domain'
import { kindOf, openTrial, runOf } from './run.ts'

/** A test or a search as long as it runs, for everybody in the building; null where none does. */
export function runningLoops(
  text: string | null,
  rooms: { floor_type: FloorType }[],
  nowMs: number,
): RunningLoops | null {
  const run = runOf(text)
  if (!run || run.ended || (run.untilMs !== null && nowMs >= run.untilMs)) return null
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
