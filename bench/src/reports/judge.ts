import {
  type DesignedRoom,
  designHouse,
  type Estimate,
  likelyHeat,
  type RoomLoad,
  supplyRange,
} from '@hypocaust/control'
import type { Rest } from './truth.ts'

/** A figure against the truth: how far off, as a share, and whether the truth was within the stated range. */
export type Judged = { error: number; isWithin: boolean }

export const OUTDOOR_C = -15

/** What a house's report said, by the name of the figure. */
export type JudgedReport = Record<string, Judged[]>

type ReportedData = {
  known: DesignedRoom[]
  meterKwh: number
  /** At the outdoor temperature of the design, and a kelvin warmer. */
  rest: Rest[]
  warmer: Rest[]
}

/** With a heat meter, and without. */
export function judgeReport({ known, meterKwh, rest, warmer }: ReportedData): JudgedReport {
  const metered = designHouse({ rooms: known, outdoorC: OUTDOOR_C, meterKwh })
  const alone = designHouse({ rooms: known, outdoorC: OUTDOOR_C, meterKwh: null })
  if (!metered || !alone) throw new Error('nothing was heated')
  const truths = known.map(({ areaM2 }, i) => {
    const [needs, less] = [rest[i] as Rest, warmer[i] as Rest]
    return {
      kw: (needs.needsWm2 * areaM2) / 1000,
      lossWPerK: (needs.needsWm2 - less.needsWm2) * areaM2,
      supplyC: needs.supplyC,
    }
  })
  const truthOf = ({ id }: RoomLoad) => truths[known.findIndex((room) => room.id === id)] as (typeof truths)[number]
  const all = truths.reduce((sum, { kw }) => sum + kw, 0)
  const onWater = metered.rooms.filter(({ supply }) => supply !== null)
  const sum = (pick: (truth: (typeof truths)[number]) => number) =>
    onWater.reduce((total, room) => total + pick(truthOf(room)), 0)
  return {
    'kW of a room, heat meter': onWater.map((room) => judged(room.loadKw, truthOf(room).kw)),
    'kW of the house, heat meter': [
      judged(
        metered.loadKw,
        sum(({ kw }) => kw),
      ),
    ],
    'W/K of a room, heat meter': onWater.map((room) => judged(room.lossWPerK, truthOf(room).lossWPerK)),
    'W/K of the house, heat meter': [
      judged(
        metered.lossWPerK,
        sum(({ lossWPerK }) => lossWPerK),
      ),
    ],
    'share of a room, no meter': alone.rooms.map((room) => judged(room.share, truthOf(room).kw / all)),
    ...ofSupply('heat meter', metered.rooms, truthOf),
    ...ofSupply('no meter', alone.rooms, truthOf),
  }
}

function ofSupply(
  name: string,
  rooms: RoomLoad[],
  truthOf: (room: RoomLoad) => { supplyC: number | null },
): JudgedReport {
  const onWater = rooms.flatMap((room) => {
    const truthC = truthOf(room).supplyC
    return room.supply === null || truthC === null
      ? []
      : [{ range: supplyRange({ ...room, supply: room.supply }), truthC }]
  })
  const warmest = onWater.toSorted((a, b) => b.range.value - a.range.value)[0]
  const truthC = Math.max(...onWater.map((room) => room.truthC))
  const kelvin = (range: { value: number; least: number; most: number }, trueC: number): Judged => ({
    error: range.value - trueC,
    isWithin: range.least <= trueC && trueC <= range.most,
  })
  return {
    [`K of a room’s supply, ${name}`]: onWater.map(({ range, truthC: own }) => kelvin(range, own)),
    [`K of the house’s supply, ${name}`]: warmest ? [kelvin(warmest.range, truthC)] : [],
  }
}

function judged(estimate: Estimate | null, truth: number): Judged {
  if (!estimate) throw new Error('there is no estimate')
  const { leastKwh, mostKwh } = likelyHeat({ heatKwh: estimate.value, spread: estimate.spread })
  return { error: estimate.value / truth - 1, isWithin: leastKwh <= truth && truth <= mostKwh }
}
