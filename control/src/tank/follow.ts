import { capacityKwhK, lossKw, usualUseKwh } from './physics.ts'
import type { TankSeen, TankSettings, TankState } from './types.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const DISINFECTED_EVERY_MS = 7 * DAY_MS
/** For so long a tank has to be hot for its disinfection. */
const DISINFECTION_MS = 1_200_000
const HOURS = 24
/** A day more counts so much. */
const LEARNED_A_DAY = 0.2
/** An hour of which less is known teaches nothing. */
const KNOWN_MS = 0.7 * HOUR_MS
/** Of heat pumps and boilers in houses. */
const HEAT_KW = { usual: 6, least: 1, most: 40 }
/** A charge that was shorter, or rose less, says nothing of the power. */
const RISE = { leastMs: 900_000, leastK: 3 }
const PLAUSIBLE_C = { least: 5, most: 95 }
/** After a longer gap nobody knows what was taken meanwhile. */
const LONGEST_GAP_MS = 12 * HOUR_MS

/** A tank of which nothing is known yet is taken as barely warm enough. */
export function newTank(settings: TankSettings, nowMs: number): TankState {
  return {
    atMs: nowMs,
    tankC: settings.tapC,
    measuredMs: null,
    useKwh: usualUseKwh(settings.people),
    busyShare: new Array(HOURS).fill(0),
    hour: newHour(settings, nowMs),
    heatKw: HEAT_KW.usual,
    ownStartC: null,
    busySinceMs: null,
    rise: null,
    knownSinceMs: nowMs,
    disinfectedMs: null,
    hotSinceMs: null,
  }
}

/** The tank a moment on: as measured, else as expected. `chargedToC`: what it is being heated to where nothing measures it. */
export function followTank(
  before: TankState,
  settings: TankSettings,
  seen: TankSeen,
  chargedToC: number | null,
  nowMs: number,
): TankState {
  const gapMs = nowMs - before.atMs
  // After a clock was set back the state begins anew at this moment.
  if (gapMs < 0) return { ...before, atMs: nowMs, hour: newHour(settings, nowMs), rise: null, measuredMs: null }
  const measuredC = seen.tankC !== null && isPlausible(seen.tankC) ? seen.tankC : null
  const isBusy = seen.isBusy ?? chargedToC !== null
  const wasBusy = before.busySinceMs !== null
  const toC = chargedToC ?? settings.fullC
  const expectedC =
    wasBusy && !isBusy && hasEnded(before, nowMs) ? toC : expectedAfter(before, settings, wasBusy ? toC : null, gapMs)
  const state: TankState = {
    ...before,
    atMs: nowMs,
    tankC: measuredC ?? expectedC,
    measuredMs: measuredC === null ? before.measuredMs : nowMs,
    busySinceMs: isBusy ? (before.busySinceMs ?? nowMs) : null,
  }
  const wasMeasured = before.measuredMs === before.atMs && measuredC !== null && gapMs <= HOUR_MS
  const takenKwh = wasMeasured && !wasBusy && !isBusy ? takenIn(before, settings, state.tankC, gapMs) : null
  learnHour(state, settings, { gapMs, takenKwh, wasBusy })
  learnRise(state, settings, measuredC)
  if (seen.isBusy && !wasBusy && chargedToC === null && measuredC !== null)
    state.ownStartC = middle(before.ownStartC, measuredC)
  const isHot = settings.disinfectC !== null && state.tankC >= settings.disinfectC
  state.hotSinceMs = isHot ? (before.hotSinceMs ?? nowMs) : null
  if (state.hotSinceMs !== null && nowMs - state.hotSinceMs >= DISINFECTION_MS) state.disinfectedMs = nowMs
  return state
}

/** A source that stops by itself has reached its temperature, unless it had hardly begun. */
const hasEnded = ({ busySinceMs }: TankState, nowMs: number): boolean =>
  busySinceMs !== null && nowMs - busySinceMs >= RISE.leastMs

const isPlausible = (c: number): boolean => c >= PLAUSIBLE_C.least && c <= PLAUSIBLE_C.most

/** By what is usually taken at this hour, and by the charge that goes on. */
function expectedAfter(tank: TankState, settings: TankSettings, chargedToC: number | null, gapMs: number): number {
  const hours = Math.min(gapMs, LONGEST_GAP_MS) / HOUR_MS
  const useKw = tank.useKwh[settings.hourOf(tank.atMs)] as number
  const lostK = (hours * (useKw + lossKw(settings, tank.tankC))) / capacityKwhK(settings)
  const wonK = chargedToC === null ? 0 : (hours * tank.heatKw) / capacityKwhK(settings)
  const afterC = tank.tankC - lostK + wonK
  return Math.max(PLAUSIBLE_C.least, chargedToC === null ? afterC : Math.min(chargedToC, afterC))
}

/** Since when it has not been disinfected. */
export const undisinfectedSinceMs = ({ disinfectedMs, knownSinceMs }: TankState): number =>
  disinfectedMs ?? knownSinceMs

/** What people have taken, as far as it is more than the tank loses by standing. */
function takenIn(before: TankState, settings: TankSettings, tankC: number, gapMs: number): number {
  const fallenKwh = capacityKwhK(settings) * (before.tankC - tankC)
  return fallenKwh - (gapMs / HOUR_MS) * lossKw(settings, before.tankC)
}

const newHour = (settings: TankSettings, nowMs: number): TankState['hour'] => ({
  index: settings.hourOf(nowMs),
  useKwh: 0,
  busyMs: 0,
  knownMs: 0,
})

type Happened = { gapMs: number; takenKwh: number | null; wasBusy: boolean }

/** What is taken while the source heats the tank is not seen: such an hour counts by the part that is. */
function learnHour(state: TankState, settings: TankSettings, { gapMs, takenKwh, wasBusy }: Happened): void {
  const index = settings.hourOf(state.atMs)
  if (index !== state.hour.index || gapMs > HOUR_MS) {
    endHour(state)
    state.hour = newHour(settings, state.atMs)
    return
  }
  const { hour } = state
  state.hour = {
    index,
    useKwh: hour.useKwh + (takenKwh ?? 0),
    busyMs: hour.busyMs + (wasBusy ? gapMs : 0),
    knownMs: hour.knownMs + (takenKwh === null ? 0 : gapMs),
  }
}

function endHour(state: TankState): void {
  const { index, useKwh, busyMs, knownMs } = state.hour
  state.busyShare = learned(state.busyShare, index, Math.min(1, busyMs / HOUR_MS))
  if (knownMs < KNOWN_MS) return
  state.useKwh = learned(state.useKwh, index, Math.max(0, useKwh * (HOUR_MS / knownMs)))
}

const learned = (values: number[], index: number, value: number): number[] =>
  values.map((before, i) => (i === index ? before + LEARNED_A_DAY * (value - before) : before))

const middle = (before: number | null, seenC: number): number => (before === null ? seenC : (before + seenC) / 2)

/** From the beginning of a charge to its end. */
function learnRise(state: TankState, settings: TankSettings, measuredC: number | null): void {
  const { rise, busySinceMs, atMs } = state
  if (busySinceMs !== null && measuredC !== null) {
    state.rise = rise ?? { fromMs: atMs, fromC: measuredC }
    return
  }
  state.rise = null
  const lastedMs = rise ? atMs - rise.fromMs : 0
  const roseK = rise && measuredC !== null ? measuredC - rise.fromC : 0
  if (lastedMs < RISE.leastMs || roseK < RISE.leastK) return
  const kw = (roseK * capacityKwhK(settings) * HOUR_MS) / lastedMs
  const within = Math.min(HEAT_KW.most, Math.max(HEAT_KW.least, kw))
  state.heatKw += 0.5 * (within - state.heatKw)
}
