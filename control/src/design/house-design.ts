import { type RoomShare, scaledToMeter, spreadOfAll } from '../heat/house-heat.ts'
import { holdingHeat } from '../model/model.ts'
import { type DesignedRoom, designRoom, type RoomDesign } from './room-design.ts'
import { floorC, needsWm2, type ScaledRoom, scaledRoom, supplyNeededC } from './scaled-room.ts'

/** A figure, and one standard deviation of its logarithm. */
export type Estimate = { value: number; spread: number }

export type RoomLoad = RoomDesign &
  ScaledRoom & {
    needsW: number
    /** Of the floor's surface. */
    floorC: number
    supplyC: number | null
    /** Kilowatts at design weather; null without a heat meter. Of an electric mat, null as well. */
    loadKw: Estimate | null
    /** Watts for each kelvin of outdoor temperature; null as the load is. */
    lossWPerK: Estimate | null
    /** Of the load of all rooms. */
    share: Estimate
    /** The coldest water; the spread is of its distance from the air of the room. */
    supply: Estimate | null
  }

export type HouseDesign = {
  outdoorC: number
  rooms: RoomLoad[]
  /** Of the rooms with water; null without a heat meter. */
  loadKw: Estimate | null
  lossWPerK: Estimate | null
  timeConstantH: number
  sunShare: number
  perKelvin: number
}

export type DesignTask = {
  rooms: DesignedRoom[]
  outdoorC: number
  /** What a heat meter counted for all rooms with water in the recorded half hours; null without one. */
  meterKwh: number | null
}

/** From the recorded weather to that of the design, beside the doubt about the heat. */
const SPREAD_OF_LOAD = 0.06
const SPREAD_OF_LOSS = 0.12
/** Of the distance between water and air, where the water was measured and where it was not. */
const SPREAD_OF_SUPPLY = { measured: 0.1, assumed: 0.33 }

/** What each room and the house need at design weather; rooms without heat in the recorded half hours are left out. */
export function designHouse({ rooms, outdoorC, meterKwh }: DesignTask): HouseDesign | null {
  const designs = rooms.flatMap((room) => designRoom(room) ?? [])
  if (designs.length === 0) return null
  const onWater = designs.filter(({ floorType }) => floorType !== 'electric')
  const scaled = meterKwh === null ? null : scaledToMeter(heats(onWater), meterKwh)
  const loads = designs.map((room) => {
    const metered = scaled?.[onWater.indexOf(room)]
    const heat = metered ?? room.heat
    const scaledTo = scaledRoom(room, heat.heatKwh / room.modelKwh)
    return { room: { ...room, ...scaledTo }, metered, ...loadOf(scaledTo, heat.spread, outdoorC) }
  })
  const shares = sharesOf(loads.map(({ load }) => load))
  const all = loads.map(({ room, metered, load, loss }, i) => ({
    ...room,
    needsW: needsWm2(room, outdoorC) * room.areaM2,
    floorC: floorC(room, outdoorC),
    supplyC: supplyNeededC(room, outdoorC),
    loadKw: metered ? estimate(load) : null,
    lossWPerK: metered ? estimate(loss) : null,
    share: shares[i] as Estimate,
    supply: supplyOf(room, outdoorC),
  }))
  const weights = loads.map(({ load }) => load.heatKwh)
  const mean = (pick: (room: RoomLoad) => number) =>
    all.reduce((sum, room, i) => sum + (weights[i] as number) * pick(room), 0) / weights.reduce((a, b) => a + b, 0)
  return {
    outdoorC,
    rooms: all,
    loadKw:
      scaled &&
      together(
        loads.flatMap(({ load, metered }) => (metered ? [load] : [])),
        SPREAD_OF_LOAD,
      ),
    lossWPerK:
      scaled &&
      together(
        loads.flatMap(({ loss, metered }) => (metered ? [loss] : [])),
        SPREAD_OF_LOSS,
      ),
    timeConstantH: mean(({ timeConstantH }) => timeConstantH),
    sunShare: mean(({ sunShare }) => sunShare),
    perKelvin: mean(({ perKelvin }) => perKelvin),
  }
}

const heats = (rooms: RoomDesign[]): RoomShare[] => rooms.map(({ heat }) => heat)

/** Kilowatts at design weather and watts for each kelvin. */
function loadOf(room: ScaledRoom, spread: number, outdoorC: number): { load: RoomShare; loss: RoomShare } {
  const { model, airC, areaM2, worth } = room
  const perKelvin = holdingHeat(model, airC, outdoorC - 1).needsWm2 - holdingHeat(model, airC, outdoorC).needsWm2
  return {
    load: { heatKwh: (needsWm2(room, outdoorC) * areaM2) / 1000, spread: Math.hypot(spread, SPREAD_OF_LOAD) },
    loss: { heatKwh: worth * perKelvin * areaM2, spread: Math.hypot(spread, SPREAD_OF_LOSS) },
  }
}

const sharesOf = (loads: RoomShare[]): Estimate[] => scaledToMeter(loads, 1).map(estimate)

const estimate = ({ heatKwh, spread }: RoomShare): Estimate => ({ value: heatKwh, spread })

/** The rooms share the error of the way to design weather, as they share the weather. */
function together(rooms: RoomShare[], shared: number): Estimate {
  const value = rooms.reduce((sum, { heatKwh }) => sum + heatKwh, 0)
  return { value, spread: Math.hypot(spreadOfAll(rooms, true), shared) }
}

function supplyOf(room: RoomDesign & ScaledRoom, outdoorC: number): Estimate | null {
  const value = supplyNeededC(room, outdoorC)
  return value === null ? null : { value, spread: SPREAD_OF_SUPPLY[room.isWaterMeasured ? 'measured' : 'assumed'] }
}
