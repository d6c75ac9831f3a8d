import type { OtherSensors } from '@hypocaust/domain'
import { errors } from '../base/errors.ts'
import type { Store } from '../store/store.ts'

/** What rows refer to a sensor by. Outside the database a sensor is known by its address within its building. */
export const newSensorId = (buildingId: string, address: string): string => `${buildingId}/${address}`

/** The ids of a building's sensors by their addresses, of those it knows. */
export async function sensorIdsOf({ db }: Store, buildingId: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('sensors').select(['id', 'address']).where('buildingId', '=', buildingId).execute()
  return new Map(rows.map(({ id, address }) => [address, id]))
}

/** Refuses an address that this building has not heard, even if another one has. */
export async function sensorIdOf({ db }: Store, buildingId: string, address: string): Promise<string> {
  const row = await db
    .selectFrom('sensors')
    .select('id')
    .where('buildingId', '=', buildingId)
    .where('address', '=', address)
    .executeTakeFirst()
  if (!row) throw errors.unknownSensor(address)
  return row.id
}

/** Refuses addresses that this building has not heard. */
export async function requireSensors(store: Store, buildingId: string, { sensors }: OtherSensors): Promise<void> {
  const known = await sensorIdsOf(store, buildingId)
  const missing = sensors.find(({ id }) => !known.has(id))
  if (missing) throw errors.unknownSensor(missing.id)
}
