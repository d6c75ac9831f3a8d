import { heldPower, PRESET_SHARE, scheduleOf, setpointAt } from '@hypocaust/domain'
import type { Energy } from '../model/heat-cost.ts'
import { isIdle } from '../model/idle-hours.ts'
import { heatWm2, type Model, modelOf } from '../model/model.ts'
import { DAYS, HOURS, Motion, type Outside, PIPE, SENSED, SURFACE, WALL } from '../model/motion.ts'
import { firstBelief, isMeanSound } from '../model/observer.ts'
import { airC } from '../model/thermal.ts'
import { aimsAhead, reachedAtC } from '../plan/aim.ts'
import { limitFor } from '../plan/floor-limit.ts'
import { plannedMinimum } from '../plan/floor-minimum.ts'
import { doubtK } from '../plan/outlook.ts'
import { type PlannedPath, planPath } from '../plan/planner.ts'
import { holdsFloor } from '../room/held.ts'
import { SLOT_S } from '../room/state.ts'
import type { History, RoomSettings } from '../room/types.ts'
import { type ExplainedSlot, explained, heatBetween, type KnownRoom } from './explained.ts'

/** A recorded half hour as it would have been. */
export type ReplayedSlot = { endMs: number; outdoorC: number; setpointC: number; airC: number; heatKwhM2: number }

/** A higher setpoint of the programme, and when the air reached it; null where it did not before the setpoint changed. */
export type ReplayedRise = { atMs: number; setpointC: number; warmAtMs: number | null }

export type Replayed = {
  heatKwhM2: number
  /** Kelvin-hours below the comfort band, and above it while the setpoint is not lowered. */
  belowKh: number
  aboveKh: number
  slots: ReplayedSlot[]
  rises: ReplayedRise[]
}

const SLOT_MS = SLOT_S * 1000
const SLOT_H = SLOT_S / 3600
const DAY_SLOTS = 48
/** The floor answers in hours: a plan is followed for two of them. */
const PLAN_SLOTS = 4
/** The first days are played twice, so that a room does not live on heat it was given at another target. */
const SETTLING_SLOTS = 2 * DAY_SLOTS

/**
 * The recorded days of a room once more, on its own model, with its weather and all that happened in it, and with the heat
 * that the law would have given for these settings. Null where less than a day is recorded, where the setpoints are not those of the air, and where the record
 * contradicts the model so much that no room would be left of it.
 */
export function replayRoom(
  room: KnownRoom,
  history: History,
  settings: RoomSettings,
  energy: Energy | null = null,
  model = modelOf(room.floorType, room.learned),
): Replayed | null {
  const record = explained(room, history, model)
  if (record.length < DAY_SLOTS || holdsFloor(settings)) return null
  const replay = new Replay({ room, record, settings, energy, model })
  const settled = replay.play(Math.min(SETTLING_SLOTS, record.length))
  const slots = settled && replay.play(record.length)
  if (!slots) return null
  return {
    heatKwhM2: sum(slots.map(({ heatKwhM2 }) => heatKwhM2)),
    ...outsideBand(slots, settings),
    slots,
    rises: risesOf(slots, settings),
  }
}

type ReplayTask = {
  room: KnownRoom
  record: ExplainedSlot[]
  settings: RoomSettings
  energy: Energy | null
  model: Model
}

class Replay {
  private readonly room: KnownRoom
  private readonly record: ExplainedSlot[]
  private readonly settings: RoomSettings
  private readonly energy: Energy | null
  private readonly model: Model
  private readonly motion: Motion
  /** By how much the replayed room differs from the recorded one, in each state. */
  private difference: number[]

  constructor({ room, record, settings, energy, model }: ReplayTask) {
    this.room = room
    this.record = record
    this.settings = settings
    this.energy = energy
    this.model = model
    this.motion = new Motion(model)
    this.difference = (record[0] as ExplainedSlot).mean.map(() => 0)
  }

  /** The first half hours of the record, one after the other; null where one of them leaves what a room can be. */
  play(count: number): ReplayedSlot[] | null {
    const slots: ReplayedSlot[] = []
    let mean = (this.record[0] as ExplainedSlot).mean.map((value, i) => value + (this.difference[i] as number))
    let plan: { path: PlannedPath; madeAt: number } | null = null
    for (let index = 1; index < count; index++) {
      const { slot, outside, correction, mean: recorded } = this.record[index] as ExplainedSlot
      if (!correction) {
        mean = recorded.map((value, i) => value + (this.difference[i] as number))
        plan = null
        continue
      }
      const { steering, setpointC } = setpointAt(this.settings, slot.endMs - SLOT_MS / 2)
      let power = heldPower(steering)
      if (power === undefined) {
        if (!plan || index - plan.madeAt >= PLAN_SLOTS) plan = { path: this.plan(mean, index), madeAt: index }
        const fromS = (index - plan.madeAt) * SLOT_S
        power = this.power(mean, outside, setpointC, heatWithin(plan.path, fromS, fromS + SLOT_S))
      }
      const before = [...mean]
      this.motion.advance(mean, outside, power, SLOT_S)
      slots.push({
        endMs: slot.endMs,
        outdoorC: slot.outdoorC,
        setpointC,
        airC: this.airOf(outside, mean, power),
        heatKwhM2: heatBetween(this.model, outside, before, mean, power),
      })
      mean = mean.map((value, i) => value + (correction[i] as number))
      if (!isMeanSound(mean)) return null
      this.difference = mean.map((value, i) => value - (recorded[i] as number))
    }
    return slots
  }

  private plan(mean: number[], index: number): PlannedPath {
    const { room, settings, model } = this
    const nowMs = (this.record[index] as ExplainedSlot).slot.endMs - SLOT_MS
    return planPath({
      floorType: room.floorType,
      model,
      belief: { mean, spread: firstBelief(20).spread },
      nowMs,
      blockS: SLOT_S,
      outsideAt: (atMs) => this.outsideAt(index, atMs - nowMs),
      sunnierAt: (atMs) => this.outsideAt(index, atMs - nowMs),
      aimAt: aimsAhead(settings, room.floorType, nowMs),
      mostWithin: (fromMs, toMs) => (isIdle(room.idle, room.timeZone, (fromMs + toMs) / 2) ? 0 : 1),
      maxFloorC: limitFor(settings.maxFloorC, false),
      targetOf: 'air',
      floorMinimum: plannedMinimum(settings, nowMs),
      doubtK: doubtK(room.outlook, 0),
      strategy: settings.strategy,
      energy: this.energy,
    })
  }

  /** The weather that came; beyond the end of the record its last day goes on. */
  private outsideAt(index: number, aheadMs: number): Outside {
    const last = this.record.length - 1
    const wanted = index + Math.floor(aheadMs / SLOT_MS)
    const beyond = Math.max(0, wanted - last)
    const at = beyond > 0 ? Math.max(0, wanted - DAY_SLOTS * Math.ceil(beyond / DAY_SLOTS)) : wanted
    return (this.record[at] as ExplainedSlot).outside
  }

  private power(mean: number[], outside: Outside, setpointC: number, plannedWm2: number): number {
    const { model, settings } = this
    const warmed = { pipeC: mean[PIPE] as number, airC: mean[SENSED] as number }
    const fullWm2 = heatWm2(model, outside.outdoorC, warmed, 1)
    const planned = fullWm2 > 0 ? Math.min(1, plannedWm2 / fullWm2) : 0
    const isAbove = this.airOf(outside, mean, 0) > setpointC + settings.bandK
    return isAbove ? planned : Math.max(planned, PRESET_SHARE[settings.presetMode])
  }

  private airOf(outside: Outside, mean: number[], power: number): number {
    const disturbanceWm2 = (mean[HOURS] as number) + (mean[DAYS] as number)
    const share = this.motion.shareOf(mean, outside, power)
    return airC(this.model, { ...outside, disturbanceWm2 }, mean[SURFACE] as number, mean[WALL] as number, share)
  }
}

/** Mean heat of a plan over a span, in W/m². */
function heatWithin({ endS, heatKwhM2 }: PlannedPath, fromS: number, toS: number): number {
  const kwhM2 = endS.map((end, k) => {
    const start = endS[k - 1] ?? 0
    const overlapS = Math.max(0, Math.min(end, toS) - Math.max(start, fromS))
    return ((heatKwhM2[k] as number) * overlapS) / (end - start)
  })
  return (sum(kwhM2) * 3.6e6) / (toS - fromS)
}

function outsideBand(slots: ReplayedSlot[], settings: RoomSettings): { belowKh: number; aboveKh: number } {
  const { bandK } = settings
  const isCounted = ({ endMs }: ReplayedSlot) => !setpointAt(settings, endMs - SLOT_MS / 2).isLowered
  const below = slots.map(({ airC, setpointC }) => Math.max(0, setpointC - bandK - airC) * SLOT_H)
  const above = slots.filter(isCounted).map(({ airC, setpointC }) => Math.max(0, airC - setpointC - bandK) * SLOT_H)
  return { belowKh: sum(below), aboveKh: sum(above) }
}

function risesOf(slots: ReplayedSlot[], settings: RoomSettings): ReplayedRise[] {
  const [first, last] = [slots[0], slots.at(-1)]
  if (!first || !last) return []
  const schedule = scheduleOf(settings, first.endMs, last.endMs)
  return schedule.flatMap(({ fromMs, untilMs, setpointC, steering }, i) => {
    const before = schedule[i - 1]
    if (!before || steering.kind !== 'automatic' || setpointC <= before.setpointC) return []
    const goalC = reachedAtC(setpointC, settings)
    const warm = slots.find((slot) => slot.endMs >= fromMs && slot.endMs <= untilMs && slot.airC >= goalC)
    return [{ atMs: fromMs, setpointC, warmAtMs: warm?.endMs ?? null }]
  })
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
