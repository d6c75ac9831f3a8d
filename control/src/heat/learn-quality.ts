import { carnotOf } from '../model/efficiency.ts'
import { modelOf, supplyC } from '../model/model.ts'
import type { KnownRoom } from './explained.ts'

export type MeteredHour = { heatKwh: number; outdoorC: number; supplyC: number }

/** A day on which both meters of a heat pump reported. */
export type MeteredDay = { electricityKwh: number; hours: MeteredHour[] }

/** On a day with less the standby of the heat pump decides, not its compressor. */
const LEAST_KWH = { electricity: 1, heat: 3 }
const FEWEST_DAYS = 3
/** So many days count as much as the prior. */
const PRIOR_DAYS = 2
/** Meters that say more than this are not those of the heat pump. */
const FARTHEST = Math.log(1.6)

/**
 * The share of the Carnot limit that a heat pump reaches: the one with which each day's heat, at the temperatures of its
 * hours, would have taken the electricity that was counted. The middle of all days, so that one with a defrosting or a
 * missing hour does not matter. Null where the days are too few.
 */
export function learnQuality(prior: number, days: MeteredDay[]): { quality: number; days: number } | null {
  const samples = days.flatMap(({ electricityKwh, hours }) => {
    const heatKwh = hours.reduce((sum, hour) => sum + hour.heatKwh, 0)
    if (electricityKwh < LEAST_KWH.electricity || heatKwh < LEAST_KWH.heat) return []
    const atCarnot = hours.reduce((sum, each) => sum + each.heatKwh / carnotOf(each.outdoorC, each.supplyC), 0)
    const deviation = Math.log(atCarnot / electricityKwh / prior)
    return Math.abs(deviation) <= 2 * FARTHEST ? [deviation] : []
  })
  if (samples.length < FEWEST_DAYS) return null
  const middle = samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] as number
  const trusted = (middle * samples.length) / (samples.length + PRIOR_DAYS)
  const bounded = Math.min(FARTHEST, Math.max(-FARTHEST, trusted))
  return { quality: prior * Math.exp(bounded), days: samples.length }
}

/** Of the water that the models of rooms expect at an outdoor temperature; null where all are electric. */
export function meanSupplyC(rooms: KnownRoom[], outdoorC: number): number | null {
  const each = rooms.flatMap((room) => supplyC(modelOf(room.floorType, room.learned), outdoorC) ?? [])
  return each.length === 0 ? null : each.reduce((sum, value) => sum + value, 0) / each.length
}
