import type { Ack, WindowReport } from '@hypocaust/domain'
import { HOUR_S } from '@hypocaust/domain/facts'
import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const MIN_OPEN_S = 180
const FALLBACK_AFTER_S = 2700
const PROBE_SILENT_S = 1800
const PROBE_TOPIC = 'probe/sensor/temperature/state'
const WATER = 1
const WATER_WITH_PROBE = 2
const MAT = 3
const MAX_FLOOR_C = 29

const FILE = house(
  3,
  {
    [WATER_WITH_PROBE]: `floor_probe: { sensor: "02:00:00:00:00:06", max_c: ${MAX_FLOOR_C} }`,
    [MAT]: `heat: electric, floor_probe: { sensor: "02:00:00:00:00:06", max_c: ${MAX_FLOOR_C} }`,
  },
  '',
).replace('esphome: [', `esphome: [{ sensor: "02:00:00:00:00:06", temperature: ${PROBE_TOPIC} }, `)

type Event =
  | { kind: 'pass'; seconds: number }
  | { kind: 'command'; power: number; validS: number }
  | { kind: 'broken-command'; text: string }
  | { kind: 'fallback'; power: number }
  | { kind: 'probe'; floorC: string }
  | { kind: 'service' | 'devices'; connected: boolean }
  | { kind: 'reboot' }
  | { kind: 'clock'; stepMs: number }

const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))
const brokenPower = fc.constantFrom('1e999', '-1', 'null', '"1"', '2', '{}')
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 200, 1000) }),
  fc.record({ kind: fc.constant('command' as const), power: share, validS: fc.constantFrom(1, 900, 2700, 1e9) }),
  brokenPower.map((power) => ({
    kind: 'broken-command' as const,
    text: `{"epoch":1,"seq":9999,"issued":"2026-01-10T08:00:00.000Z","valid_s":2700,"valves":[{"channel":1,"power":${power},"window_s":900}]}`,
  })),
  fc.record({ kind: fc.constant('fallback' as const), power: share }),
  fc.record({
    kind: fc.constant('probe' as const),
    floorC: fc.constantFrom('21.5', '28.9', '29', '45', '-127', 'nan', ''),
  }),
  fc.record({ kind: fc.constantFrom('service' as const, 'devices' as const), connected: fc.boolean() }),
  fc.constant({ kind: 'reboot' as const }),
  fc.record({
    kind: fc.constant('clock' as const),
    stepMs: fc.constantFrom(3.6e6, -3.6e6, 8.64e7, -8.64e7, 3.2e10, -3.2e10),
  }),
)

/** Channels by number, all with the same share. */
const all = (power: number) => ({ [WATER]: power, [WATER_WITH_PROBE]: power, [MAT]: power })

class House extends Simulation {
  #seq = 0
  /** The service's clock: it is right, whatever the gateway's does. */
  serviceMs = this.wallMs

  constructor() {
    super(FILE)
    this.connect()
    this.configure(all(0), { exercise_days: 0 })
  }

  override pass(seconds: number, each?: (atS: number) => void, stepS?: number): void {
    super.pass(seconds, each, stepS)
    this.serviceMs += seconds * 1000
  }

  happen(each: Event): void {
    switch (each.kind) {
      case 'pass':
        this.pass(each.seconds, undefined, 5)
        break
      case 'command': {
        const issued = new Date(this.serviceMs).toISOString()
        this.command(++this.#seq, all(each.power), { valid_s: each.validS, issued })
        break
      }
      case 'broken-command':
        this.order('power', each.text)
        break
      case 'fallback':
        this.configure(all(each.power), { exercise_days: 0 })
        break
      case 'probe':
        this.hear(PROBE_TOPIC, each.floorC)
        break
      case 'reboot':
        this.reboot()
        this.connect()
        break
      case 'clock':
        this.wallMs += each.stepMs
        break
      default:
        this[each.kind].connected = false
        if (each.connected) this.connect({ service: each.kind === 'service', devices: each.kind === 'devices' })
    }
  }
}

/** Plays the events in a house of their own, and lets the test go on from there. */
function lived(after: (house: House, events: Event[]) => void, full = 25): void {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 25 }), (events) => {
      const place = new House()
      try {
        for (const each of events) place.happen(each)
        place.connect()
        after(place, events)
      } finally {
        place.end()
      }
    }),
    { numRuns: runs(full) },
  )
}

describe('whatever a gateway lives through, clock steps included', () => {
  test('relays hear ON or OFF and nothing else, and every report is of finite numbers within its window', () => {
    lived((place) => {
      place.pass(1000, undefined, 5)
      for (const { topic, payload } of place.devices.sent)
        if (/POWER\d$/.test(topic)) expect(payload).toMatch(/^(ON|OFF|)$/)
        else expect(payload).not.toMatch(/NaN|Infinity|null|undefined/)
      for (const report of place.taken<WindowReport>('window')) {
        expect(Number.isFinite(report.open_s) && report.open_s >= 0 && report.open_s <= report.window_s).toBe(true)
        expect(Number.isFinite(Date.parse(report.start))).toBe(true)
      }
    })
  })

  test('a command that a schema refuses opens no valve', () => {
    fc.assert(
      fc.property(brokenPower, (power) => {
        const place = new House()
        place.order(
          'power',
          `{"epoch":1,"seq":1,"issued":"2026-01-10T08:00:00.000Z","valid_s":2700,"valves":[{"channel":1,"power":${power},"window_s":900}]}`,
        )
        place.pass(900, undefined, 5)
        expect(place.isOn(WATER)).toBe(false)
        place.end()
      }),
      { numRuns: runs(6) },
    )
  })

  test('without commands every channel ends at its fallback: closed where that is 0, and it stays so', () => {
    lived((place) => {
      place.configure(all(0), { exercise_days: 0 })
      place.pass(FALLBACK_AFTER_S + MIN_OPEN_S + 10, undefined, 5)
      place.pass(4 * HOUR_S, () => expect([1, 2, 3].filter((relay) => place.isOn(relay))).toEqual([]), 30)
    })
  })

  test('a fallback above 0 heats its share, without the service and by any clock', () => {
    lived((place) => {
      place.configure(all(0.5), { exercise_days: 0 })
      place.service.connected = false
      place.pass(FALLBACK_AFTER_S + 1000, undefined, 5)
      let openS = 0
      place.pass(
        4 * HOUR_S,
        () => {
          openS += place.isOn(WATER) ? 5 : 0
        },
        5,
      )
      expect(openS / (4 * HOUR_S)).toBeGreaterThan(0.4)
      expect(openS / (4 * HOUR_S)).toBeLessThan(0.6)
    }, 15)
  })

  test('a hot floor closes its loop within the actuator’s shortest time, whatever is commanded', () => {
    lived((place) => {
      place.happen({ kind: 'command', power: 1, validS: 1e9 })
      place.hear(PROBE_TOPIC, '45')
      place.pass(MIN_OPEN_S + 20, undefined, 5)
      place.pass(
        PROBE_SILENT_S - MIN_OPEN_S - 60,
        () => expect([place.isOn(WATER_WITH_PROBE), place.isOn(MAT)]).toEqual([false, false]),
        20,
      )
    })
  })

  test('an electric mat whose probe is silent does not heat', () => {
    lived((place) => {
      place.pass(PROBE_SILENT_S + 60, undefined, 5)
      for (let i = 0; i < 4; i++) {
        place.happen({ kind: 'command', power: 1, validS: 1e9 })
        place.pass(900, () => expect(place.isOn(MAT)).toBe(false), 30)
      }
    })
  })

  test('the clock of the gateway decides about no command: what the service sends now is followed', () => {
    lived((place) => {
      place.taken('ack')
      place.happen({ kind: 'command', power: 1, validS: 2700 })
      expect(place.taken<Ack>('ack').at(-1)).toMatchObject({ result: 'accepted' })
      place.pass(MIN_OPEN_S + 20, undefined, 5)
      expect(place.isOn(WATER)).toBe(true)
    })
  })
})
