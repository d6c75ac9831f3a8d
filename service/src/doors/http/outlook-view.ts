import type { RoomOutlook, WarmUp } from '@hypocaust/control'
import { type AppOutlook, type AppWarmUp, type Outlook, timestampOf } from '@hypocaust/domain'
import { scheduleView } from '../../house/rooms/schedule-view.ts'

/** The room's own power decides whether it heats, so that the two never contradict each other. */
export function outlookView({ setpoint, aim, next, reach }: RoomOutlook, power: number): Outlook {
  return {
    ...scheduleView({ ...setpoint, setpointC: aim.targetC, reason: aim.reason }, next),
    reached_at: reach.kind === 'expected' ? timestampOf(reach.atMs) : null,
    heating: power > 0,
  }
}

/** With the reasons, and heat in kWh where the area of the floor is known. */
export function appOutlookView(outlook: RoomOutlook, power: number, areaM2: number | null): AppOutlook {
  const { reach, warmUp } = outlook
  return {
    ...outlookView(outlook, power),
    reach: reach.kind,
    why_not: reach.kind === 'no' ? reach.why : null,
    heat_kwh: reach.kind === 'expected' ? heatOf(reach.heatKwhM2, areaM2) : null,
    warm_up: warmUp && warmUpView(warmUp, areaM2),
  }
}

export const warmUpView = (
  { atMs, setpointC, heatsFromMs, isInTime, heatKwhM2 }: WarmUp,
  areaM2: number | null,
): AppWarmUp => ({
  at: timestampOf(atMs),
  setpoint: setpointC,
  heats_from: heatsFromMs === null ? null : timestampOf(heatsFromMs),
  in_time: isInTime,
  heat_kwh: heatOf(heatKwhM2, areaM2),
})

const heatOf = (kwhM2: number, areaM2: number | null): number | null =>
  areaM2 === null ? null : Math.round(kwhM2 * areaM2 * 10) / 10
