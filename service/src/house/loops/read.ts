import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { withOtherSensors } from '../room-sensors.ts'

export async function readRun({ db }: Store, buildingId: string): Promise<{ text: string | null }> {
  const row = await db.selectFrom('buildings').select('loopRun').where('id', '=', buildingId).executeTakeFirst()
  if (!row) throw errors.noSuchBuilding(buildingId)
  return { text: row.loopRun }
}

export async function readLoops(store: Store, buildingId: string) {
  const { db } = store
  const [{ text }, gateways, rooms, valves, tests, details] = await Promise.all([
    readRun(store, buildingId),
    db.selectFrom('gateways').select(['id', 'channels']).where('buildingId', '=', buildingId).orderBy('id').execute(),
    db
      .selectFrom('rooms')
      .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
      .select(['rooms.id', 'rooms.buildingId', 'rooms.name', 'rooms.watchedSince', 'rooms.otherSensors'])
      .select(['sensors.address as sensorAddress', 'sensors.temperatureC', 'sensors.humidityPct', 'sensors.measuredAt'])
      .where('rooms.buildingId', '=', buildingId)
      .execute()
      .then((rows) => withOtherSensors(store, rows)),
    db
      .selectFrom('valves')
      .innerJoin('rooms', 'rooms.id', 'valves.roomId')
      .select(['valves.gatewayId', 'valves.channel', 'valves.roomId'])
      .where('rooms.buildingId', '=', buildingId)
      .execute(),
    db
      .selectFrom('loopTests')
      .innerJoin('gateways', 'gateways.id', 'loopTests.gatewayId')
      .select(['loopTests.gatewayId', 'loopTests.channel', 'loopTests.roomId', 'loopTests.testedAt'])
      .select('loopTests.certainty')
      .where('gateways.buildingId', '=', buildingId)
      .execute(),
    db
      .selectFrom('loopDetails')
      .innerJoin('gateways', 'gateways.id', 'loopDetails.gatewayId')
      .selectAll('loopDetails')
      .where('gateways.buildingId', '=', buildingId)
      .execute(),
  ])
  const loops = gateways.flatMap(({ id, channels }) => {
    const most = Math.max(channels ?? 0, ...valves.filter(({ gatewayId }) => gatewayId === id).map((v) => v.channel))
    return Array.from({ length: most }, (_, i) => ({ gatewayId: id, channel: i + 1 }))
  })
  return { text, loops, rooms, valves, tests, details }
}
