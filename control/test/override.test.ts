import { programmeOfNight } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { HOUR_MS, WINTER_MS } from './room.ts'
import { beginningOf, simulatedFrom } from './simulated-room.ts'

const ONE_AT_NIGHT_H = 25
const RISE_H = 29.5
const PROGRAMME = { targetC: 21.5, programme: programmeOfNight({ from: '22:30', to: '05:30', setback: 2 }) }
const evening = { days: ONE_AT_NIGHT_H / 24, settings: { ...PROGRAMME, timeZone: 'UTC' } }

for (const floorType of ['screed', 'electric'] as const) {
  const start = simulatedFrom(beginningOf({}), { ...evening, floorType })
  const airAtRise = (targetC: number | null) => {
    const setAtMs = WINTER_MS + ONE_AT_NIGHT_H * HOUR_MS
    const untilMs = WINTER_MS + RISE_H * HOUR_MS
    const override = targetC === null ? null : { kind: 'target' as const, targetC, setAtMs, untilMs }
    const story = { floorType, days: 31 / 24, settings: { ...evening.settings, override } }
    return simulatedFrom(start, story).seen.find(({ hour }) => hour > RISE_H)?.airC ?? 0
  }

  test(`half a kelvin more or less for the rest of the night leaves the morning as warm: ${floorType}`, () => {
    const asEver = airAtRise(null)
    for (const targetC of [20, 19]) expect(airAtRise(targetC)).toBeGreaterThan(asEver - 0.1)
  })
}
