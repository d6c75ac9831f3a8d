import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { parseGatewayFile } from '../src/config/load.ts'
import { ThreePoint } from '../src/valves/three-point.ts'

const MINUTE = 60
const RUN_S = 120
const ONE_TOPIC = { topic: 'motor', closeTopic: null, open: 'OPEN', close: 'CLOSE', stop: 'STOP' }
const TWO_RELAYS = { topic: 'up', closeTopic: 'down', open: 'ON', close: 'ON', stop: 'OFF' }

/** The motor itself: where it stands after what was published, between its end switches. */
class Motor {
  position: number
  starts = 0
  isReachable = true
  readonly #on = new Map<string, string>()
  #direction = 0

  constructor(position: number) {
    this.position = position
  }

  publish = ({ topic, payload }: { topic: string; payload: string }): boolean => {
    if (!this.isReachable) return false
    this.#on.set(topic, payload)
    expect(this.#on.get('up') === 'ON' && this.#on.get('down') === 'ON', 'both relays are on').toBe(false)
    const said = this.#on.get('motor')
    const opens = said === 'OPEN' || this.#on.get('up') === 'ON'
    const closes = said === 'CLOSE' || this.#on.get('down') === 'ON'
    const direction = opens ? 1 : closes ? -1 : 0
    if (direction !== 0 && direction !== this.#direction) {
      expect(this.#direction, 'it turns round without a stop').toBe(0)
      this.starts += 1
    }
    this.#direction = direction
    return true
  }

  pass(seconds: number): void {
    this.position = Math.min(1, Math.max(0, this.position + (this.#direction * seconds) / RUN_S))
  }
}

function driven(wiring: typeof ONE_TOPIC | typeof TWO_RELAYS, motor: Motor) {
  const mqtt = { set: null, state: null, online: null, autoOffS: null }
  const valve = new ThreePoint({ mqtt, set: { kind: 'three-point', ...wiring, runS: RUN_S }, publish: motor.publish })
  let nowMs = 0
  const pass = (power: number, seconds: number) => {
    for (let i = 0; i < seconds * 4; i += 1) {
      valve.aim(power)
      valve.set(power > 0, nowMs)
      nowMs += 250
      motor.pass(0.25)
    }
  }
  return { valve, pass, share: () => valve.share(nowMs) }
}

describe.each([
  ['one topic', ONE_TOPIC],
  ['two relays', TWO_RELAYS],
])('a motor with %s', (_, wiring) => {
  test('is closed to its end first, and then stands where it is asked to', () => {
    const motor = new Motor(0.7)
    const { pass, share } = driven(wiring, motor)
    pass(0.4, 10)
    expect(motor.position).toBeLessThan(0.7)
    pass(0.4, 5 * MINUTE)
    expect(motor.position).toBeCloseTo(0.4, 1)
    expect(share()).toBeCloseTo(motor.position, 2)
    const { starts } = motor
    pass(0.43, 10 * MINUTE)
    expect(motor.starts).toBe(starts)
    pass(0, 5 * MINUTE)
    expect([motor.position, share()]).toEqual([0, 0])
  })

  test('is where it is thought to be, whatever was asked for, and turns round only after a stop', () => {
    const positions = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 400 })))
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), positions, (position, asked) => {
        const motor = new Motor(position)
        const { pass, share } = driven(wiring, motor)
        pass(0, 3 * MINUTE)
        for (const [power, seconds] of asked) {
          pass(power, seconds)
          expect(Math.abs(share() - motor.position)).toBeLessThan(0.02)
        }
        pass(1, 4 * MINUTE)
        expect([motor.position, share()]).toEqual([1, 1])
      }),
      { numRuns: 30 },
    )
  })

  test('that could not be stopped is taken to have run on', () => {
    const motor = new Motor(0)
    const { pass, share } = driven(wiring, motor)
    pass(0, 3 * MINUTE)
    pass(0.5, 30)
    motor.isReachable = false
    pass(0.5, 3 * MINUTE)
    expect([motor.position, share()]).toEqual([1, 1])
    motor.isReachable = true
    pass(0.5, 3 * MINUTE)
    expect(motor.position).toBeCloseTo(0.5, 1)
  })
})

describe('a channel with a motor', () => {
  const set = '{ topic: motor, open: OPEN, close: CLOSE, stop: STOP, run_s: 120 }'
  const file = house(0, {}, `  - { channel: 1, driver: mqtt, set: ${set} }`)
  let cellar: Simulation
  afterEach(() => cellar?.end())

  const said = () => cellar.devices.sent.filter(({ topic }) => topic === 'motor').map(({ payload }) => payload)

  test('gets its power as a position, again after a restart, and is closed when the agent stops', () => {
    cellar = new Simulation(file)
    cellar.connect()
    cellar.configure({ 1: 0 })
    cellar.command(1, { 1: 0.5 })
    cellar.pass(10 * MINUTE)
    expect(said()).toEqual(['STOP', 'CLOSE', 'STOP', 'OPEN', 'STOP'])
    cellar.pass(10 * MINUTE)
    const report = cellar.windows().find(({ channel }) => channel === 1)
    expect(report?.open_s).toBeGreaterThan(200)
    cellar.restart()
    cellar.connect()
    cellar.pass(10 * MINUTE)
    // Fully open before it is half open again: where it stood when the agent ended is not certain.
    expect(said()).toEqual(['STOP', 'OPEN', 'STOP', 'CLOSE', 'STOP'])
    cellar.agent.stop()
    expect(said().at(-1)).toBe('CLOSE')
  })

  test('is not for a pump', () => {
    cellar = new Simulation(file)
    expect(() => parseGatewayFile(`${house(1)}\npump: { driver: mqtt, set: ${set} }`, 'gateway.yaml')).toThrow(
      'pump.set: a motor with open, close and stop is for channels',
    )
  })
})
