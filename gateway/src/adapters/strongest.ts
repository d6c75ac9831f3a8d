import type { Heard } from './adapter.ts'

const MOST_SENSORS = 4096

interface Sensor {
  held: Heard | undefined
  heldSinceMs: number
  sentMs: number
  sentMeasuredMs: number
}

/**
 * Several boxes hear one sensor, and some sensors speak every few seconds. One reading per sensor and interval goes on:
 * the one of the strongest signal among those heard within `collectMs`.
 */
export class Strongest {
  readonly #collectMs: number
  readonly #everyMs: number
  readonly #sensors = new Map<string, Sensor>()
  #drainedMs = Number.NEGATIVE_INFINITY

  constructor({ collectMs, everyMs }: { collectMs: number; everyMs: number }) {
    this.#collectMs = collectMs
    this.#everyMs = everyMs
  }

  hear(reading: Heard, monotonicMs: number): void {
    const sensor = this.#sensors.get(reading.id) ?? this.#add(reading.id)
    if (reading.measuredMs === sensor.sentMeasuredMs) return
    if (sensor.held) {
      if (signal(reading) > signal(sensor.held)) sensor.held = reading
      return
    }
    if (monotonicMs - sensor.sentMs < this.#everyMs) return
    sensor.held = reading
    sensor.heldSinceMs = monotonicMs
  }

  /** The readings due. All sensors are drained on one beat, so that they share one write to disk. */
  due(monotonicMs: number): Heard[] {
    if (monotonicMs - this.#drainedMs < this.#collectMs) return []
    this.#drainedMs = monotonicMs
    const readings: Heard[] = []
    for (const sensor of this.#sensors.values()) {
      if (sensor.held && monotonicMs - sensor.heldSinceMs >= this.#collectMs) readings.push(take(sensor, sensor.held))
    }
    return readings
  }

  /** Everything held, due or not: nothing more will be heard. */
  rest(): Heard[] {
    return [...this.#sensors.values()].flatMap((sensor) => (sensor.held ? [take(sensor, sensor.held)] : []))
  }

  #add(id: string): Sensor {
    if (this.#sensors.size >= MOST_SENSORS) this.#forgetQuietest()
    const sensor = { held: undefined, heldSinceMs: 0, sentMs: Number.NEGATIVE_INFINITY, sentMeasuredMs: Number.NaN }
    this.#sensors.set(id, sensor)
    return sensor
  }

  #forgetQuietest(): void {
    const quiet = [...this.#sensors].filter(([, sensor]) => !sensor.held).sort(([, a], [, b]) => a.sentMs - b.sentMs)
    const leaving = quiet.length > 0 ? quiet : [...this.#sensors]
    for (const [id] of leaving.slice(0, MOST_SENSORS / 4)) this.#sensors.delete(id)
  }
}

function take(sensor: Sensor, reading: Heard): Heard {
  sensor.sentMs = sensor.heldSinceMs
  sensor.sentMeasuredMs = reading.measuredMs
  sensor.held = undefined
  return reading
}

const signal = (reading: Heard) => reading.rssi ?? Number.NEGATIVE_INFINITY
