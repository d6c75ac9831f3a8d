import { programmeOfNight } from '@hypocaust/domain'
import { roomPhysics, settledState, stepRoomState } from '@hypocaust/simulator'
import { describe, expect, test } from 'vitest'
import { airFrom, explain, fallbackPower, type RoomControl, type StepResult, stepRoom } from '../src/index.ts'
import { EVERY_FLOOR, HOUR_MS, hold, input, settings, WINTER_MS } from './room.ts'

const off = settings({ steering: { kind: 'off' } })
const fresh = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 10 })

test('a room well below its band is heated, one far above it is not', () => {
  for (const floorType of EVERY_FLOOR) {
    expect(hold(2, () => ({ floorType, air: fresh(17) })).power).toBeGreaterThan(0.5)
    expect(hold(2, () => ({ floorType, air: fresh(25) })).power).toBe(0)
  }
})

test('a room switched off is held at zero power', () => {
  expect(hold(3, () => ({ settings: off, air: fresh(12) })).power).toBe(0)
})

test('below 5 °C the loop of a room that is off is opened, until 6 °C', () => {
  const cold = hold(0.5, () => ({ settings: off, air: fresh(4.8) }))
  expect(cold.power).toBeGreaterThan(0.5)
  expect(cold.decision.mode).toBe('frost')
  const warmer = hold(0.2, () => ({ settings: off, air: fresh(5.6) }), cold.state, WINTER_MS + HOUR_MS)
  expect(warmer.power).toBeGreaterThan(0.5)
  const over = hold(0.2, () => ({ settings: off, air: fresh(6.1) }), warmer.state, WINTER_MS + 2 * HOUR_MS)
  expect(over.power).toBe(0)
  expect(hold(0.2, () => ({ settings: off, air: fresh(5.6) }), over.state, WINTER_MS + 3 * HOUR_MS).power).toBe(0)
})

test('of several sensors one that is colder than 5 °C is enough, whatever their mean', () => {
  const cold = hold(0.5, () => ({ settings: off, air: fresh(9), coldestC: 4.8 }))
  expect([cold.power > 0.5, cold.decision.mode]).toEqual([true, 'frost'])
  const over = hold(0.2, () => ({ settings: off, air: fresh(9), coldestC: 6.1 }), cold.state, WINTER_MS + HOUR_MS)
  expect(over.power).toBe(0)
})

test('with frost protection switched off, off is zero without exception', () => {
  const settingsWithout = { ...off, frostProtection: false }
  expect(hold(1, () => ({ settings: settingsWithout, air: fresh(-2) })).power).toBe(0)
})

test('an old reading does not set frost protection off', () => {
  const stale = { kind: 'stale' as const, airC: 3, ageS: 7200 }
  expect(stepRoom(null, input({ settings: off, air: stale })).power).toBe(0)
})

test('manual power is the power, from the first step on', () => {
  const manual = settings({ steering: { kind: 'manual', power: 0.37 } })
  expect(stepRoom(null, input({ settings: manual })).power).toBeCloseTo(0.37, 9)
})

test('the floor limit caps manual power, power tells the capped truth, and the floor obeys', () => {
  const manual = settings({ steering: { kind: 'manual', power: 1 } })
  const physics = roomPhysics('electric', 180)
  const room = settledState(21)
  let last = stepRoom(null, input({ floorType: 'electric', settings: manual, air: fresh(21) }))
  let hottestC = 0
  for (let minute = 1; minute <= 24 * 60; minute++) {
    const boundary = { outdoorC: 0, windMs: 3.5, solarGainWm2: 0, internalWm2: 2, neighbourC: 20, airChange: 1 }
    stepRoomState(room, physics, { ...boundary, supply: 'running' }, last.power, 60)
    hottestC = Math.max(hottestC, room.surfaceC)
    const air = fresh(Math.round(10 * room.airC) / 10)
    const nowMs = WINTER_MS + minute * 60_000
    last = stepRoom(last.state, input({ nowMs, floorType: 'electric', settings: manual, air }))
  }
  expect(hottestC).toBeGreaterThan(26)
  expect(hottestC).toBeLessThan(29)
  expect(last.power).toBeLessThan(0.9)
  expect(last.decision.caps).toContain('floor-limit')
  expect(explain(last.decision).sentence).toContain('limit')
})

test('a probe above the limit is believed even when nothing else is known of the room', () => {
  const manual = settings({ steering: { kind: 'manual', power: 1 } })
  const blind = input({ settings: manual, air: { kind: 'missing' }, floorProbeC: 34 })
  expect(stepRoom(null, blind)).toMatchObject({ power: 0, decision: { caps: ['floor-limit'] } })
})

test('a probe at the limit shuts the loop at once', () => {
  const { power, decision } = stepRoom(
    hold(1, () => ({ air: fresh(17) })).state,
    input({ nowMs: WINTER_MS + HOUR_MS + 60_000, air: fresh(17), floorProbeC: 29.2 }),
  )
  expect(power).toBe(0)
  expect(decision.caps).toContain('floor-limit')
})

test('a preset keeps the floor warm at the target, and rests above the band', () => {
  const preset = settings({ presetMode: 'high' })
  const warm = hold(1, () => ({
    settings: preset,
    air: fresh(21.3),
    weather: { outdoorC: 16, cloudPct: 90, windMs: 2, solarWm2: 0 },
  }))
  expect(warm.power).toBeCloseTo(0.15, 6)
  const hot = hold(1, () => ({
    settings: preset,
    air: fresh(23.5),
    weather: { outdoorC: 16, cloudPct: 90, windMs: 2, solarWm2: 0 },
  }))
  expect(hot.power).toBe(0)
  expect(hot.decision.caps).toContain('above-band')
})

test.each([0, 7, 14, 26, 29])('each preset has a power of its own at once, %i minutes after a half hour', (minute) => {
  const mild = { outdoorC: 16, cloudPct: 90, windMs: 2, solarWm2: 0 }
  for (const floorType of EVERY_FLOOR) {
    const resting = { floorType, air: fresh(21.3), weather: mild }
    const idle = hold(3, () => resting)
    const nowMs = WINTER_MS + 3 * HOUR_MS + minute * 60_000
    const powers = (['low', 'medium', 'high'] as const).map(
      (presetMode) => stepRoom(idle.state, input({ nowMs, ...resting, settings: settings({ presetMode }) })).power,
    )
    expect(idle.power).toBe(0)
    expect(powers).toEqual([expect.closeTo(0.05, 6), expect.closeTo(0.1, 6), expect.closeTo(0.15, 6)])
  }
})

test('base warmth stays even, so that the gateway spreads it over its own openings', () => {
  const mild = { outdoorC: 16, cloudPct: 90, windMs: 2, solarWm2: 0 }
  const low = { settings: settings({ presetMode: 'low' }), air: fresh(21.3), weather: mild }
  let last = hold(1, () => low)
  for (let minute = 61; minute < 400; minute++) {
    last = stepRoom(last.state, input({ nowMs: WINTER_MS + minute * 60_000, ...low }))
    expect(last.power).toBeCloseTo(0.05, 6)
  }
})

test.each([1, 12, 25, 28, 29])('the new target works at once, also %i minutes into a block of thirty', (minute) => {
  const idle = hold(3, () => ({ air: fresh(21.4) }))
  const nowMs = WINTER_MS + 3 * HOUR_MS + minute * 60_000
  const wish = { air: fresh(21.4), settings: settings({ targetC: 24 }) }
  const raised = stepRoom(idle.state, input({ nowMs, ...wish }))
  expect(idle.power).toBeLessThan(0.3)
  expect(raised.power).toBeGreaterThan(0.8)
  const after = hold(0.5, () => wish, raised.state, nowMs + 60_000)
  expect(after.power).toBeGreaterThan(0.8)
})

test('the end of an override works at once, also in the middle of a block', () => {
  const setAtMs = WINTER_MS + 62 * 60_000
  const untilMs = WINTER_MS + 70 * 60_000
  const override = { kind: 'target' as const, targetC: 24, setAtMs, untilMs }
  const at = (nowMs: number) => ({
    settings: settings({ targetC: 20, override: nowMs < setAtMs ? null : override }),
    air: { kind: 'fresh' as const, airC: 20.6, ageS: 10 },
  })
  const during = hold(1 + 9 / 60, at)
  expect(during.power).toBeGreaterThan(0.5)
  const after = stepRoom(during.state, input({ nowMs: untilMs, ...at(untilMs) }))
  expect(after.power).toBe(0)
})

test('a night mode is prepared for before it ends', () => {
  const programme = programmeOfNight({ from: '22:00', to: '06:00', setback: 3 })
  const at = (hour: number) =>
    hold(
      0.1,
      () => ({ settings: settings({ programme }), air: fresh(18.4) }),
      hold(3, () => ({ settings: settings({ programme }), air: fresh(18.4) }), null, WINTER_MS + (hour - 4) * HOUR_MS)
        .state,
      WINTER_MS + hour * HOUR_MS,
    )
  const early = at(0)
  const shortly = at(4)
  expect(shortly.decision.aim.reason).toBe('programme')
  expect(shortly.power).toBeGreaterThan(0.7)
  expect(early.power).toBeLessThan(shortly.power)
  expect(explain(shortly.decision).sentence).toMatch(/below the band at 06:00 without heat; the floor needs \d/)
  expect(shortly.decision.warmsForMs).toBe(WINTER_MS + 5 * HOUR_MS)
})

test('a room that is warm enough for the morning but short by noon is not said to be heated for the morning after', () => {
  const programme = programmeOfNight({ from: '22:00', to: '06:00', setback: 1 })
  const startMs = WINTER_MS + 2 * HOUR_MS
  for (const airC of [20.6, 20.8, 21]) {
    const { decision } = hold(2, () => ({ settings: settings({ programme }), air: fresh(airC) }), null, startMs)
    expect(decision.without?.atMs).toBeLessThan(WINTER_MS + 21 * HOUR_MS)
  }
})

test('between two openings a room is said to rest, with what it gets on average', () => {
  const electric = { floorType: 'electric' as const, air: fresh(20.6) }
  let { state } = hold(6, () => electric)
  const hour = Array.from({ length: 60 }, (_, minute) => {
    const step = stepRoom(state, input({ ...electric, nowMs: WINTER_MS + 6 * HOUR_MS + (minute + 1) * 60_000 }))
    state = step.state
    return step
  })
  const pause = hour.find(({ power, decision }) => power === 0 && decision.share > 0)
  expect(hour.some(({ power }) => power > 0)).toBe(true)
  expect(pause && explain(pause.decision).sentence).toMatch(/Resting between two openings, \d+ % on average/)
})

test('a room that will be short only tomorrow can wait, and says so', () => {
  const programme = programmeOfNight({ from: '22:00', to: '06:00', setback: 3 })
  const now = { settings: settings({ programme }), air: fresh(21.4) }
  const { power, decision } = hold(3, () => now, null, WINTER_MS + 9 * HOUR_MS)
  expect(power).toBe(0)
  expect(explain(decision).sentence).toMatch(/^It can wait: \d\.\d° below the band at \d\d:\d\d without heat/)
})

test('an absence lowers the aim until its end, and is heated up for in time', () => {
  const untilMs = WINTER_MS + 30 * HOUR_MS
  const away = settings({ away: { fromMs: 0, untilMs, setAtMs: 0, targetC: 15 } })
  const gone = hold(2, () => ({ settings: away, air: fresh(18) }))
  expect(gone.power).toBe(0)
  expect(gone.decision.aim).toMatchObject({ reason: 'away', targetC: 15 })
  expect(gone.decision.warmsForMs).toBeNull()
  const returning = hold(1, () => ({ settings: away, air: fresh(15.2) }), null, untilMs - 4 * HOUR_MS)
  expect(returning.power).toBeGreaterThan(0.7)
  expect(returning.decision.warmsForMs).toBe(untilMs)
})

test('the ladder: measured, predicted, the model alone, the learned power, and up again', () => {
  const seen = hold(6, () => ({ air: fresh(20.6) }))
  const silent = (hours: number) => {
    let { state } = seen
    let result = seen
    for (let minute = 1; minute <= hours * 60; minute++) {
      const nowMs = WINTER_MS + 6 * HOUR_MS + minute * 60_000
      result = stepRoom(
        state,
        input({ nowMs, air: { kind: minute <= 10 ? 'fresh' : 'stale', airC: 20.6, ageS: minute * 60 } }),
      )
      state = result.state
    }
    return result
  }
  expect(seen.decision.rung).toBe('measured')
  expect(silent(0.4).decision.rung).toBe('predicted')
  expect(silent(3).decision.rung).toBe('model-only')
  const lost = silent(13)
  expect(lost.decision.rung).toBe('learned-power')
  expect(lost.decision.notices).toContain('sensor-lost')
  expect(lost.power).toBeGreaterThan(0)
  expect(explain(lost.decision).sentence).toContain('Without a sensor')
  const back = hold(0.2, () => ({ air: fresh(20.4) }), lost.state, WINTER_MS + 20 * HOUR_MS)
  expect(back.decision.rung).toBe('measured')
})

test('a room that has been learned is heated by its model, with the sun of the forecast, while its sensor stays silent', () => {
  const learnt = hold(6, () => ({ air: fresh(20.6) }))
  const silentFor3Days = (solarWm2: number) => {
    const state = { ...learnt.state, fit: { ...learnt.state.fit, accepted: 1 } }
    const weather = { outdoorC: 8, cloudPct: 0, windMs: 3.5, solarWm2 }
    return hold(72, () => ({ air: { kind: 'missing' }, weather }), state, WINTER_MS + 6 * HOUR_MS)
  }
  const [dull, sunny] = [silentFor3Days(0), silentFor3Days(300)]
  expect(dull.decision).toMatchObject({ rung: 'model-only', notices: ['sensor-lost'] })
  expect(sunny.decision.share).toBeLessThan(dull.decision.share)
})

test('a room that was never heard is warmed by its floor type and the weather', () => {
  const mute = (outdoorC: number) =>
    stepRoom(null, input({ air: { kind: 'missing' }, weather: { outdoorC, cloudPct: 50, windMs: 3, solarWm2: 0 } }))
  expect(mute(-5).power).toBeGreaterThan(mute(10).power)
  expect(mute(-5).decision.rung).toBe('learned-power')
  for (const floorType of EVERY_FLOOR) expect(fallbackPower(null, floorType, null)).toBeGreaterThan(0)
})

test('an open window is noticed, not heated against, and forgotten when it is shut', () => {
  const calm = hold(6, () => ({ air: fresh(20.8) }))
  const open = hold(
    0.5,
    (nowMs) => ({ air: fresh(20.8 - Math.min(3, (nowMs - WINTER_MS - 6.1 * HOUR_MS) / 200_000)) }),
    calm.state,
    WINTER_MS + 6.1 * HOUR_MS,
  )
  expect(open.decision.notices).toContain('window-open')
  expect(open.power).toBeLessThan(0.7)
  const shut = hold(1, () => ({ air: fresh(20.7) }), open.state, WINTER_MS + 6.7 * HOUR_MS)
  expect(shut.decision.notices).not.toContain('window-open')
})

test('heat that never arrives is called so, and forgotten when it comes again', () => {
  const physics = roomPhysics('dry', 180)
  const room = settledState(20.6)
  const noticed: boolean[] = []
  let last = stepRoom(null, input({ floorType: 'dry', air: fresh(20.6) }))
  for (let minute = 1; minute <= 36 * 60; minute++) {
    const failed = minute > 12 * 60 && minute <= 24 * 60
    const boundary = { outdoorC: 0, windMs: 3.5, solarGainWm2: 0, internalWm2: 2, neighbourC: 20, airChange: 1 }
    stepRoomState(room, physics, { ...boundary, supply: failed ? 'failed' : 'running' }, last.power, 60)
    const nowMs = WINTER_MS + minute * 60_000
    last = stepRoom(last.state, input({ nowMs, floorType: 'dry', air: fresh(Math.round(10 * room.airC) / 10) }))
    noticed.push(last.decision.notices.includes('boiler-off'))
  }
  expect(noticed.slice(0, 12 * 60)).not.toContain(true)
  expect(noticed[20 * 60]).toBe(true)
  expect(noticed.at(-1)).toBe(false)
})

describe('a sensor that reports only when the temperature has changed by half a kelvin', () => {
  /** Up and down by a step, hours apart. */
  const coarse = (hours: number): StepResult[] => {
    let state: RoomControl | null = null
    let reading = { airC: 20.5, atMs: WINTER_MS }
    return Array.from({ length: hours * 12 }, (_, i) => {
      const nowMs = WINTER_MS + i * 300_000
      if (i > 0 && i % 36 === 0) reading = { airC: reading.airC === 20.5 ? 21 : 20.5, atMs: nowMs }
      const result = stepRoom(state, input({ nowMs, air: airFrom(reading, nowMs) }))
      state = result.state
      return result
    })
  }

  test('is not taken for lost once its habit is known', () => {
    const days = coarse(72)
    const lost = days.slice(12 * 12).filter(({ decision }) => decision.notices.includes('sensor-lost'))
    expect(lost).toEqual([])
  })

  test('is lost when it is silent for much longer than ever', () => {
    const last = (coarse(72).at(-1) as StepResult).state
    const nowMs = last.updatedMs + 8 * HOUR_MS
    const { decision } = stepRoom(
      last,
      input({ nowMs, air: airFrom({ airC: 20.5, atMs: last.lastReadingMs ?? 0 }, nowMs) }),
    )
    expect(decision.notices).toContain('sensor-lost')
  })
})
