import { type ExplainedSlot, explained, type KnownRoom } from '../heat/explained.ts'
import type { RoomShare } from '../heat/house-heat.ts'
import { roomHeat } from '../heat/room-heat.ts'
import { apply, discretise } from '../model/linear.ts'
import { holdingHeat, type Model, modelOf, supplyC } from '../model/model.ts'
import { PIPE, SENSED } from '../model/motion.ts'
import { rates, THERMAL_STATES } from '../model/thermal.ts'
import type { RoomControl } from '../room/state.ts'
import type { History } from '../room/types.ts'

/** A room with the half hours by which it is judged, and the temperature that it shall have at design weather. */
export type DesignedRoom = { id: string; room: KnownRoom; history: History; areaM2: number; airC: number }

/** What the record of a learned room says; `heat` over `modelKwh` is what a watt of its model is worth. */
export type RoomDesign = {
  id: string
  floorType: RoomControl['floorType']
  areaM2: number
  airC: number
  model: Model
  /** While the loop was open: kelvin by which the water, and what it met, were above the air. */
  seen: { waterK: number; metK: number } | null
  timeConstantH: number
  /** Of heat and sun together, the part that came from the sun. */
  sunShare: number
  /** More heat for one kelvin more, as a share. */
  perKelvin: number
  /** Whether the water was measured while the room was learned. */
  isWaterMeasured: boolean
  heat: RoomShare
  modelKwh: number
}

/** Null where nothing was heated in the recorded half hours. */
export function designRoom({ id, room, history, areaM2, airC }: DesignedRoom): RoomDesign | null {
  const model = modelOf(room.floorType, room.learned)
  const record = explained(room, history, model)
  const modelKwhM2 = record.reduce((sum, { heatKwhM2 }) => sum + heatKwhM2, 0)
  if (modelKwhM2 <= 0) return null
  const { hours, spread } = roomHeat(room, history, null)
  const heatKwh = areaM2 * hours.reduce((sum, { heatKwhM2 }) => sum + heatKwhM2, 0)
  const sunWm2 = record.reduce((sum, { outside }) => sum + outside.solarGainWm2, 0) / record.length
  const heatWm2 = (1000 * modelKwhM2) / (0.5 * record.length)
  const meanOutdoorC = record.reduce((sum, { slot }) => sum + slot.outdoorC, 0) / record.length
  return {
    id,
    floorType: room.floorType,
    areaM2,
    airC,
    model,
    seen: seenWhileOpen(model, record),
    timeConstantH: timeConstantH(model),
    sunShare: sunWm2 / (sunWm2 + heatWm2),
    perKelvin: perKelvin(model, airC, meanOutdoorC),
    isWaterMeasured: isWaterMeasured(history),
    heat: { heatKwh, spread },
    modelKwh: modelKwhM2 * areaM2,
  }
}

/** Weighted by the open share; null for an electric mat, and where no loop was open. */
function seenWhileOpen(model: Model, record: ExplainedSlot[]): RoomDesign['seen'] {
  const sums = { open: 0, waterK: 0, metK: 0 }
  for (const { slot, power, mean } of record) {
    const waterC = slot.supplyC ?? supplyC(model, slot.outdoorC)
    if (waterC === null) return null
    const airC = mean[SENSED] as number
    sums.open += power
    sums.waterK += power * (waterC - airC)
    sums.metK += power * (1 - model.airShare) * ((mean[PIPE] as number) - airC)
  }
  return sums.open > 0 ? { waterK: sums.waterK / sums.open, metK: sums.metK / sums.open } : null
}

/** All rooms cool together, so none is kept warm by the others. */
const alone = (model: Model): Model => ({ ...model, neighbourWk: 0 })

const DAY_S = 86_400
const TURNS = 60

/** Hours in which a room without heat loses all but 37 % of what it has above the outdoor air. */
function timeConstantH(model: Model): number {
  const { transition } = discretise(rates(alone(model), 0), THERMAL_STATES, DAY_S)
  let state: Float64Array = new Float64Array(THERMAL_STATES).fill(1)
  let left = 1
  for (let i = 0; i < TURNS; i++) {
    const next = apply(transition, state, THERMAL_STATES)
    left = Math.max(...next)
    state = next.map((value) => value / left)
  }
  return -24 / Math.log(left)
}

function perKelvin(model: Model, airC: number, outdoorC: number): number {
  const needs = (heldC: number) => holdingHeat(alone(model), heldC, outdoorC).needsWm2
  const now = needs(airC)
  return now > 0 ? (needs(airC + 1) - now) / now : 0
}

const MEASURED_PART = 0.5

function isWaterMeasured(history: History): boolean {
  const open = history.filter(({ power }) => power > 0)
  return open.filter(({ supplyC }) => supplyC !== undefined).length >= MEASURED_PART * open.length
}
