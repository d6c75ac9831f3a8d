import { batteryOf, humidityOf, ignored, signalOf, type Understood } from './adapter.ts'

const FRESH_MS = 1_800_000
const BATTERY_FRESH_MS = 7 * 86_400_000
const MOST_SENSORS = 4096

interface Kept {
  humidity: { value: number; atMs: number } | undefined
  batt: { value: number; atMs: number } | undefined
  rssi: { value: number; atMs: number } | undefined
}

/** What arrives on topics of its own: humidity, battery and signal go with the next temperature of the sensor. */
export class Companions {
  readonly #kept = new Map<string, Kept>()

  /** Why a device measures no room. */
  readonly #excluded = new Map<string, string>()

  exclude(device: string, why: string): Understood {
    if (this.#excluded.size >= MOST_SENSORS) this.#excluded.clear()
    this.#excluded.set(device, why)
    return ignored(why)
  }

  excluded(device: string): string | undefined {
    return this.#excluded.get(device)
  }

  keep(id: string, values: { humidity: unknown; batt: unknown; rssi: unknown }, nowMs: number): Understood {
    const humidity = humidityOf(values.humidity)
    const batt = batteryOf(values.batt)
    const rssi = signalOf(values.rssi)
    if (humidity === null && batt === null && rssi === null) return ignored('no usable value in it')
    const before = this.#kept.get(id)
    if (!before && this.#kept.size >= MOST_SENSORS) this.#kept.clear()
    this.#kept.set(id, {
      humidity: humidity === null ? before?.humidity : { value: humidity, atMs: nowMs },
      batt: batt === null ? before?.batt : { value: batt, atMs: nowMs },
      rssi: rssi === null ? before?.rssi : { value: rssi, atMs: nowMs },
    })
    return ignored('humidity, battery or signal: kept for the next temperature of this sensor')
  }

  fresh(id: string, nowMs: number): { humidity?: number; batt?: number; rssi?: number } {
    const { humidity, batt, rssi } = this.#kept.get(id) ?? {}
    const isFresh = (kept: { atMs: number } | undefined, withinMs: number) =>
      kept !== undefined && Math.abs(nowMs - kept.atMs) <= withinMs
    return {
      ...(humidity && isFresh(humidity, FRESH_MS) && { humidity: humidity.value }),
      ...(batt && isFresh(batt, BATTERY_FRESH_MS) && { batt: batt.value }),
      ...(rssi && isFresh(rssi, FRESH_MS) && { rssi: rssi.value }),
    }
  }
}
