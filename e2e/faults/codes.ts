/**
 * Every reading is one of its own: its number is in its sensor and its temperature. So a lost one leaves a gap, and one
 * taken in twice shows as two rows. The sensors stay within a building's quota.
 */
const SENSORS = 400
const COLDEST_C = -39

export const sensorOf = (house: number, n: number): string =>
  [0xdd, house, 0, 0, (n % SENSORS) >> 8, (n % SENSORS) & 0xff]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(':')

export const temperatureOf = (n: number): number => Math.round(COLDEST_C * 100 + Math.floor(n / SENSORS)) / 100

export const numberOf = (sensorId: string, temperatureC: number): number => {
  const [, , , , high = '0', low = '0'] = sensorId.split(':')
  const sensor = Number.parseInt(high, 16) * 256 + Number.parseInt(low, 16)
  return Math.round((temperatureC - COLDEST_C) * 100) * SENSORS + sensor
}
