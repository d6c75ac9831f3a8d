import {
  designSupply,
  type HouseDesign,
  PRIOR_QUALITY,
  type RoomLoad,
  SPREAD_OF_QUALITY,
  supplyRange,
} from '@hypocaust/control'
import { type HouseReport, timestampOf } from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Replays } from '../replays/replays.ts'
import { lawSourceOf } from '../source/energy.ts'
import { learnedSourceOf } from '../source/learned.ts'
import { ENERGY_COLUMNS, heatSourceOf } from '../source/settings.ts'
import { designInputs, type LeftOut, type ReportRoom } from './inputs.ts'
import { estimateView, rangeView, rounded, shareView } from './ranges.ts'
import { renovationOf } from './renovation.ts'

interface Parts {
  store: Store
  replays: Pick<Replays, 'ask'>
}

/** What is asked of a report: the outdoor temperature of the design, and the day of a renovation. */
export interface ReportQuestion {
  outdoorC: number
  renovated: string | null
}

/** What a house is like and what it needs at design weather: worked out anew, and nothing is kept. */
export async function houseReport(
  { store, replays }: Parts,
  buildingId: string,
  { outdoorC, renovated }: ReportQuestion,
  nowMs: number,
): Promise<HouseReport> {
  const building = await store.db
    .selectFrom('buildings')
    .select(['timezone', 'learnedSource', ...ENERGY_COLUMNS])
    .where('id', '=', buildingId)
    .executeTakeFirstOrThrow(() => errors.noSuchBuilding(buildingId))
  const { rooms, task, leftOut, untilMs, days } = await designInputs(store, buildingId, outdoorC, nowMs)
  const house = task.rooms.length > 0 ? await replays.ask({ kind: 'design', task }) : null
  const law = lawSourceOf(building)
  const isLearned = learnedSourceOf(building) !== null && law?.kind === 'heat-pump'
  const quality = {
    value: law?.kind === 'heat-pump' ? law.quality : PRIOR_QUALITY,
    spread: SPREAD_OF_QUALITY[isLearned ? 'learned' : 'assumed'],
  }
  const basis = isLearned ? 'learned' : heatSourceOf(building)?.cop === undefined ? 'assumed' : 'entered'
  return {
    outdoor_temperature: outdoorC,
    until: untilMs === null ? null : timestampOf(untilMs),
    days,
    is_metered: house?.loadKw != null,
    heat_load: house?.loadKw ? estimateView(house.loadKw, 2) : null,
    loss_per_kelvin: house?.lossWPerK ? estimateView(house.lossWPerK, 0) : null,
    time_constant: house && rounded(house.timeConstantH, 0),
    sun_share: house && rounded(house.sunShare, 3),
    degree: house && rounded(house.perKelvin, 3),
    supply: house && supplyView(house, quality, basis),
    renovation: renovated === null ? null : await renovationOf(store, { buildingId, ...building }, renovated),
    rooms: (house?.rooms ?? []).map((load) => roomView(load, rooms)),
    left_out: [...leftOut, ...notHeated(house, rooms, leftOut)],
  }
}

/** Rooms that took no heat are left out by the law. */
export const notHeated = (house: HouseDesign | null, rooms: ReportRoom[], leftOut: LeftOut[]): LeftOut[] =>
  rooms.flatMap(({ id, name }) =>
    house?.rooms.some((room) => room.id === id) || leftOut.some((room) => room.id === id)
      ? []
      : [{ id, name, why: 'not_heated' as const }],
  )

function supplyView(
  house: HouseDesign,
  quality: { value: number; spread: number },
  basis: 'assumed' | 'entered' | 'learned',
): HouseReport['supply'] {
  const design = designSupply(house, quality)
  if (!design) return null
  const { supply, limitingId, others, isWaterMeasured, seasonalCop, today } = design
  return {
    temperature: rangeView(supply, 1),
    is_measured: isWaterMeasured,
    limiting_room: limitingId,
    relief: others && {
      supply: rounded(others.supplyC, 1),
      flow: others.relief.flow === null ? null : rounded(others.relief.flow, 2),
      less_loss: rounded(others.relief.lossShare, 3),
      cooler: rounded(others.relief.coolerK, 1),
    },
    seasonal_cop: rangeView(seasonalCop, 2),
    cop_basis: basis,
    today: today && { temperature: rounded(today.supplyC, 1), seasonal_cop: rounded(today.seasonalCop, 2) },
  }
}

function roomView(load: RoomLoad, rooms: ReportRoom[]): HouseReport['rooms'][number] {
  const { id, areaM2, airC, supply, loadKw, lossWPerK, share, timeConstantH, sunShare, floorC } = load
  const room = rooms.find((each) => each.id === id)
  return {
    id,
    name: room?.name ?? '',
    area_m2: areaM2,
    temperature: airC,
    share: shareView(share),
    heat_load: loadKw && estimateView(loadKw, 2),
    loss_per_kelvin: lossWPerK && estimateView(lossWPerK, 1),
    time_constant: rounded(timeConstantH, 0),
    sun_share: rounded(sunShare, 3),
    supply: supply && rangeView(supplyRange({ supply, airC }), 1),
    floor: rounded(floorC, 1),
    floor_limit: room?.maxFloorC ?? 0,
  }
}
