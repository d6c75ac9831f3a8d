import type { AppRoom, Sensor } from '@hypocaust/domain'

/** The latest reading of each sensor of a room that has reported, the first sensor first. */
export const readingsOf = ({ sensor, other_readings: others }: Pick<AppRoom, 'sensor' | 'other_readings'>): Sensor[] =>
  sensor === null ? others : [sensor, ...others]

/** When the room was last measured, by whichever of its sensors. */
export function measuredMs(room: Pick<AppRoom, 'sensor' | 'other_readings'>): number | null {
  const times = readingsOf(room).map(({ timestamp }) => Date.parse(timestamp))
  return times.length > 0 ? Math.max(...times) : null
}

/** As measured lately, else as it was measured last. */
export const shownC = (room: AppRoom): number | null => {
  const [newest] = readingsOf(room).toSorted((a, b) => b.timestamp.localeCompare(a.timestamp))
  return room.current_temperature ?? newest?.temperature ?? null
}

/** Whether one of its sensors has never reported. */
export const hasSensorWithoutReading = (room: AppRoom): boolean => {
  const chosen = new Set([room.sensor_id, ...(room.other_sensors?.sensors.map(({ id }) => id) ?? [])])
  return readingsOf(room).length < chosen.size
}
