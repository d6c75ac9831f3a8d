import { programmeOfNight } from '@hypocaust/domain'
import { describe, expect, test } from 'vitest'
import { shadowOf } from '../src/index.ts'
import { settings } from './room.ts'
import { type Story, simulatedRoom } from './simulated-room.ts'

const NIGHT = programmeOfNight({ from: '22:30', to: '06:00', setback: 2 })
const WISHES = { programme: NIGHT, timeZone: 'UTC' }
const LEARNING_DAYS = 5

/** On below its target, off above it; its night ends at six, when the floor only begins to warm. */
function hysteresis(): NonNullable<Story['thermostat']> {
  let isOn = false
  return (airC, hour) => {
    const clock = hour % 24
    const targetC = clock >= 6 && clock < 22.5 ? 21 : 19
    if (airC < targetC - 0.3) isOn = true
    if (airC > targetC + 0.3) isOn = false
    return isOn ? 1 : 0
  }
}

const STORY: Story = {
  days: LEARNING_DAYS + 7,
  outdoorAt: (hour) => 1 + 4 * Math.sin(hour / 37) + 3 * Math.sin((2 * Math.PI * (hour - 9)) / 24),
  settings: WISHES,
}

describe('a week beside another thermostat', () => {
  const lived = simulatedRoom({ ...STORY, thermostat: hysteresis() })
  const week = lived.slots.slice(LEARNING_DAYS * 48)
  const shadow = shadowOf(lived.state, week, settings(WISHES))

  test('the law learns the room from the heat of the other', () => {
    expect(lived.state.fit.accepted).toBeGreaterThan(0)
    expect(lived.state.fit.errorK).toBeLessThan(0.5)
  })

  test('a thermostat that is late every morning is worse than the law, beyond the uncertainty', () => {
    expect(shadow?.days).toBeGreaterThanOrEqual(6)
    expect(shadow?.kelvinHours.value).toBeLessThan(0)
    expect(Math.abs(shadow?.kelvinHours.value ?? 0)).toBeGreaterThan(shadow?.kelvinHours.plusMinus ?? 0)
  })

  test('what the report says of the law is near what the law really makes of such a week', () => {
    const ours = simulatedRoom(STORY)
    const really = shadowOf(ours.state, ours.slots.slice(LEARNING_DAYS * 48), settings(WISHES))
    const kh = (result?: { belowKh: number; aboveKh: number }) => (result?.belowKh ?? 0) + (result?.aboveKh ?? 0)
    expect(Math.abs(kh(shadow?.ours) - kh(really?.other))).toBeLessThan(0.5 * kh(shadow?.other))
    const heatRatio = (shadow?.ours.heatKwhM2 ?? 0) / (really?.other.heatKwhM2 ?? 1)
    expect(Math.abs(heatRatio - 1)).toBeLessThan(0.15)
  })
})

test('against the law itself the report finds next to nothing', () => {
  const lived = simulatedRoom(STORY)
  const shadow = shadowOf(lived.state, lived.slots.slice(LEARNING_DAYS * 48), settings(WISHES))
  expect(Math.abs((shadow?.heatKwhM2.value ?? 1) / (shadow?.other.heatKwhM2 ?? 1))).toBeLessThan(0.05)
  expect(Math.abs(shadow?.kelvinHours.value ?? 99)).toBeLessThan(3)
})

test('a day says nothing', () => {
  const lived = simulatedRoom({ ...STORY, days: 2 })
  expect(shadowOf(lived.state, lived.slots.slice(-50), settings(WISHES))).toBeNull()
})
