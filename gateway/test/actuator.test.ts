import { describe, expect, test } from 'vitest'
import { type Actuator, closedActuator, NO_ACTUATOR, stepActuator, THERMAL, tailMs } from '../src/laws/actuator.ts'

/** Positions and flow of a valve whose relay is open for some seconds. */
function opened(forS: number, untilS: number, stepS: number) {
  let valve: Actuator = closedActuator(0)
  let flowMs = 0
  for (let s = stepS; s <= untilS; s += stepS) {
    const step = stepActuator(THERMAL, valve, s <= forS, s * 1000)
    valve = step.actuator
    flowMs += step.flowMs
  }
  return { valve, flowS: flowMs / 1000 }
}

describe('a thermal actuator', () => {
  test('lets nothing through for its dead time, and everything after its stroke', () => {
    expect(opened(1000, 60, 1).valve.position).toBe(0)
    expect(opened(1000, 150, 1).valve.position).toBeCloseTo(0.5)
    expect(opened(1000, 240, 1).valve.position).toBe(1)
  })

  test('gives back at closing what it withheld at opening', () => {
    for (const stepS of [1, 5, 30]) expect(opened(600, 1200, stepS).flowS).toBeCloseTo(600, 6)
    expect(opened(240, 1200, 1).flowS).toBeCloseTo(240, 6)
  })

  test('gives less than its time in an opening too short for its stroke, and nothing within the dead time', () => {
    expect(opened(180, 1200, 1).flowS).toBeCloseTo(120, 6)
    expect(opened(60, 1200, 1).flowS).toBe(0)
  })

  test('the tail is what still flows after closing', () => {
    const { valve, flowS } = opened(600, 600, 1)
    expect(tailMs(THERMAL, valve)).toBe(150_000)
    expect(flowS).toBeCloseTo(450, 6)
    const closing = stepActuator(THERMAL, valve, false, 700_000).actuator
    const rest = stepActuator(THERMAL, closing, false, 2_000_000)
    expect(rest.flowMs).toBeCloseTo(tailMs(THERMAL, closing), 3)
    expect(rest.actuator.position).toBe(0)
  })
})

test('a mat has no actuator: it heats while its relay is on', () => {
  const { actuator, flowMs } = stepActuator(NO_ACTUATOR, closedActuator(0), true, 10_000)
  expect([actuator.position, flowMs, tailMs(NO_ACTUATOR, actuator)]).toEqual([1, 10_000, 0])
})
