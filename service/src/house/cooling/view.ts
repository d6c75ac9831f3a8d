import { type BuildingCooling, HEATS_ALWAYS, timestampOf } from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Bit } from '../../store/tables/columns.ts'
import { type ByOthers, withOtherSensors } from '../room-sensors.ts'
import { dampest, dewNowC } from './dew.ts'
import {
  COOLING_COLUMNS,
  type CoolingRow,
  coolingSettingsOf,
  coolingStateOf,
  coolSupplyC,
  seasonOf,
} from './settings.ts'

const buildingOf = statement((db, { buildingId }: { buildingId: string }) =>
  db.selectFrom('buildings').select(COOLING_COLUMNS).where('id', '=', buildingId),
)

const roomsOf = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .where('rooms.buildingId', '=', buildingId)
    .select(['rooms.id', 'rooms.buildingId', 'rooms.otherSensors', 'rooms.coolingTargetC'])
    .select(['rooms.cools', 'rooms.controlPower', 'sensors.address as sensorAddress'])
    .select(['sensors.temperatureC', 'sensors.humidityPct', 'sensors.measuredAt'])
    .orderBy('rooms.position')
    .orderBy('rooms.id'),
)

/** Season, targets and what the building does now. */
export async function coolingOf(store: Store, buildingId: string, nowMs: number): Promise<BuildingCooling> {
  const [building, rows] = await Promise.all([
    buildingOf.first(store, { buildingId }),
    roomsOf.all(store, { buildingId }),
  ])
  if (!building) throw errors.noSuchBuilding(buildingId)
  const rooms = await withOtherSensors(store, rows)
  return {
    ...(coolingSettingsOf(building) ?? HEATS_ALWAYS),
    rooms: rooms.map(({ id, coolingTargetC }) => ({ room_id: id, target_temperature: coolingTargetC })),
    state: { ...stateOf(building), rooms: rooms.map((room) => roomNow(room, nowMs)) },
  }
}

function stateOf(building: CoolingRow): Omit<BuildingCooling['state'], 'rooms'> {
  const found = building.cooling === null ? null : coolingStateOf(building)
  return {
    season: seasonOf(building),
    since: found ? timestampOf(found.sinceMs) : null,
    blocked: found?.season === 'cooling' ? found.blocked : null,
    supply_temperature: coolSupplyC(building),
    outdoor_mean: found?.outdoorMeanC == null ? null : tenth(found.outdoorMeanC),
  }
}

interface CooledRoom extends Partial<ByOthers> {
  id: string
  cools: Bit
  controlPower: number
  temperatureC: number | null
  humidityPct: number | null
  measuredAt: number | null
}

function roomNow(room: CooledRoom, nowMs: number): BuildingCooling['state']['rooms'][number] {
  const air = dampest(room, nowMs)
  const dewC = air && dewNowC(air)
  return {
    room_id: room.id,
    dew_point: dewC === null ? null : tenth(dewC),
    cooling: room.cools === 1 && room.controlPower > 0,
  }
}

const tenth = (value: number): number => Math.round(10 * value) / 10
