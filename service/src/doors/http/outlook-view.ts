import type { PlannedStep, Prices, Shading, WarmUp } from '@hypocaust/control'
import {
  type AppOutlook,
  type AppPlan,
  type AppWarmUp,
  type BlindsAdvice,
  type Outlook,
  timestampOf,
  underscored,
} from '@hypocaust/domain'
import type { HeldOutlook } from '../../house/heating/outlook.ts'
import { scheduleView } from '../../house/rooms/schedule-view.ts'
import { floorError, floorView } from './floor-view.ts'

/**
 * The room's own power decides whether it heats, so that the two never contradict each other. The setpoint is that of
 * people and programme, without warmth against mould: what is dialled is compared with it.
 */
export function outlookView(
  { setpoint, aim, next, reach, warmUp, doing, decision }: HeldOutlook,
  power: number,
): Outlook {
  const { estimate } = decision
  return {
    ...scheduleView(aim.reason === 'frost' ? { ...setpoint, setpointC: aim.targetC, reason: 'frost' } : setpoint, next),
    reached_at: reach.kind === 'expected' ? timestampOf(reach.atMs) : null,
    heating: power > 0,
    activity: underscored(doing),
    doing,
    next_expected: warmUp && tenths(warmUp.expectedC),
    next_reached_at: warmUp?.reachedMs == null ? null : timestampOf(warmUp.reachedMs),
    floor_temperature: estimate && tenths(estimate.floorC),
    floor_measured: estimate?.floorProbed ?? false,
    ...floorView(decision),
    floor_error: floorError(estimate),
    blinds: decision.shading ? blindsView(decision.shading) : null,
  }
}

const blindsView = ({ sides, closeMs, openMs, openC, closedC }: Shading): BlindsAdvice => ({
  sides,
  close_at: timestampOf(closeMs),
  open_at: timestampOf(openMs),
  expected: tenths(openC),
  expected_closed: tenths(closedC),
})

/** With the reasons, and heat in kWh where the area of the floor is known. */
export function appOutlookView(outlook: HeldOutlook, power: number, areaM2: number | null): AppOutlook {
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
  { atMs, setpointC, expectedC, reachedMs, heatsFromMs, isInTime, heatKwhM2 }: WarmUp,
  areaM2: number | null,
): AppWarmUp => ({
  at: timestampOf(atMs),
  setpoint: setpointC,
  expected: tenths(expectedC),
  reached_at: reachedMs === null ? null : timestampOf(reachedMs),
  heats_from: heatsFromMs === null ? null : timestampOf(heatsFromMs),
  in_time: isInTime,
  heat_kwh: heatOf(heatKwhM2, areaM2),
})

/** As columns; a step costs what its end costs. */
export const planView = (plan: PlannedStep[], prices: Prices | null): AppPlan => ({
  times: plan.map(({ atMs }) => Math.round(atMs / 1000)),
  setpoint: plan.map(({ setpointC }) => setpointC),
  temperature: plan.map(({ airC }) => hundredths(airC)),
  error: plan.map(({ errorK }) => hundredths(errorK)),
  power: plan.map(({ share }) => hundredths(share)),
  price: plan.map(({ atMs }) => priceAt(prices, atMs - 1)),
})

const priceAt = (prices: Prices | null, atMs: number): number | null =>
  prices?.perKwh[Math.floor((atMs - prices.startMs) / (1000 * prices.stepS))] ?? null

const tenths = (value: number): number => Math.round(value * 10) / 10
const hundredths = (value: number): number => Math.round(value * 100) / 100

const heatOf = (kwhM2: number, areaM2: number | null): number | null =>
  areaM2 === null ? null : Math.round(kwhM2 * areaM2 * 10) / 10
