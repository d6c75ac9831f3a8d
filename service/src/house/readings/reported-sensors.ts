import { MINUTE_MS, type ReportedSensor, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { otherSensorsOf } from '../room-sensors.ts'

const BREATH_WITHIN_MS = 10 * MINUTE_MS

/** The building's sensors, strongest signal first, and how much the humidity at each has just risen. */
export async function reportedSensors({ db }: Store, buildingId: string, nowMs: number): Promise<ReportedSensor[]> {
  const [sensors, rooms, lows] = await Promise.all([
    db.selectFrom('sensors').selectAll().where('buildingId', '=', buildingId).execute(),
    db
      .selectFrom('rooms')
      .select(['name', 'sensorId', 'floorSensorId', 'otherSensors'])
      .where('buildingId', '=', buildingId)
      .execute(),
    db
      .selectFrom('sensors')
      .innerJoin('readings', 'readings.sensorId', 'sensors.id')
      .select((eb) => ['readings.sensorId', eb.fn.min('readings.humidityPct').as('lowPct')])
      .where('sensors.buildingId', '=', buildingId)
      .where('readings.measuredAt', '>', nowMs - BREATH_WITHIN_MS)
      .groupBy('readings.sensorId')
      .execute(),
  ])
  return sensors
    .map((sensor) => {
      const { id: sensorRow, address: id, temperatureC, measuredAt, humidityPct } = sensor
      const lowPct = lows.find(({ sensorId }) => sensorId === sensorRow)?.lowPct ?? null
      const isKnown = temperatureC !== null && measuredAt !== null
      return {
        id,
        reading: isKnown
          ? {
              id,
              temperature: temperatureC,
              humidity: humidityPct,
              batt: sensor.batteryPct,
              rssi: sensor.rssiDbm,
              timestamp: timestampOf(measuredAt),
            }
          : null,
        rooms: rooms
          .filter(
            (room) =>
              room.sensorId === sensorRow ||
              room.floorSensorId === sensorRow ||
              otherSensorsOf(room)?.sensors.some((other) => other.id === id),
          )
          .map(({ name }) => name),
        humidity_rise: humidityPct === null || lowPct === null ? null : Math.max(0, humidityPct - lowPct),
      }
    })
    .sort((a, b) => (b.reading?.rssi ?? -999) - (a.reading?.rssi ?? -999) || a.id.localeCompare(b.id))
}
