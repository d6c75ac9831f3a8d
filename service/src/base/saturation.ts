import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

/** How much of its one thread the process has used since the figures were last read. */
export function exportEventLoop({ beforeRead, saturation }: Metrics): void {
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  beforeRead.push(() => {
    const now = performance.eventLoopUtilization()
    saturation.set({ resource: 'event_loop' }, performance.eventLoopUtilization(now, before).utilization)
    before = now
  })
}
