import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMain } from '@hypocaust/testing/agent-process.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseGatewayFile, settingsOf } from '../src/config/load.ts'
import { parsePowers } from '../src/rehearse/options.ts'
import { type Rehearsal, rehearse, type SwitchEvent } from '../src/rehearse/rehearse.ts'

const DEAD_S = 60
const STROKE_S = 180

const PUMP = 'pump: { driver: shelly, topic: pump }'
const BOILER = 'boiler: { driver: shelly, topic: boiler }'
const DEMAND = 'demand: { driver: shelly, topic: source, lead_s: 180, lag_s: 120 }'

function file(rooms: number, rest: string): string {
  const channels = Array.from(
    { length: rooms },
    (_, i) => `  - { channel: ${i + 1}, driver: shelly, topic: manifold, output: ${i}, area_m2: ${10 + i} }`,
  )
  return `devices: { url: "mqtt://127.0.0.1" }\nchannels:\n${channels.join('\n')}\n${rest}\n`
}

const dayOf = (rooms: number, rest: string, power: (channel: number) => number, hours = 24, windowS = 900) =>
  rehearse({
    settings: settingsOf(parseGatewayFile(file(rooms, rest), 'gateway.yaml'), '/nowhere'),
    hours,
    power: new Map(Array.from({ length: rooms }, (_, i) => [i + 1, power(i + 1)])),
    windowS,
  })

/** Runs of an output as its events tell; the last may be cut by the end. */
function runsOf(events: SwitchEvent[], output: string, endS: number): [fromS: number, toS: number][] {
  const runs: [number, number][] = []
  for (const { at_s, on } of events.filter((event) => event.output === output)) {
    const last = runs.at(-1)
    if (on) runs.push([at_s, endS])
    else if (last) last[1] = at_s
  }
  return runs
}

type Runs = [fromS: number, toS: number][]

/** Seconds of the first that are not covered by the second, whose runs do not overlap. */
const uncoveredS = (runs: Runs, cover: Runs): number =>
  runs.reduce((sum, [fromS, toS]) => {
    const coveredS = cover.reduce((all, [a, b]) => all + Math.max(0, Math.min(b, toS) - Math.max(a, fromS)), 0)
    return sum + (toS - fromS) - coveredS
  }, 0)

/** Seconds in which a valve lets water through and the output is off, by an actuator reckoned here. */
function dryS({ events }: Rehearsal, rooms: number, output: string, endS: number): number {
  const wet = Array.from({ length: rooms }, (_, i) => runsOf(events, `channel ${i + 1}`, endS)).flatMap((runs) =>
    runs
      .map(([on, off]): [number, number] => [on + DEAD_S, Math.min(endS, off + DEAD_S + STROKE_S)])
      .filter(([fromS, toS]) => fromS < toS),
  )
  return uncoveredS(wet, runsOf(events, output, endS))
}

/** The shortest run and pause that are not cut by beginning or end. */
function shortest(runs: [number, number][], endS: number): { runS: number; pauseS: number } {
  const whole = runs.filter(([, toS]) => toS < endS).map(([fromS, toS]) => toS - fromS)
  const pauses = runs.slice(1).map(([fromS], i) => fromS - (runs[i]?.[1] ?? 0))
  return { runS: Math.min(...whole), pauseS: Math.min(...pauses) }
}

describe.each([1, 3, 8])('%d rooms', (rooms) => {
  test.each([0.05, 0.1, 0.2, 0.5])(
    'at %d with a pump and a boiler: flow as asked, long runs, no dry valve',
    (share) => {
      const hours = 12
      const { outputs, events } = dayOf(rooms, `${PUMP}\n${BOILER}`, () => share, hours)
      for (let i = 1; i <= rooms; i += 1)
        expect(Math.abs((outputs[`channel ${i}`]?.flow_h ?? 0) / (hours * share) - 1)).toBeLessThan(0.05)
      expect(dryS({ outputs, events }, rooms, 'pump', hours * 3600)).toBe(0)
      expect(outputs.boiler?.shortest_on_s).toBeGreaterThanOrEqual(600)
      expect(outputs.boiler?.shortest_off_s).toBeGreaterThanOrEqual(600)
    },
  )

  test.each([0.05, 0.2])('at %d with only a pump: flow as asked, and the pump on whenever water flows', (share) => {
    const day = dayOf(rooms, PUMP, () => share)
    for (let i = 1; i <= rooms; i += 1)
      expect(Math.abs((day.outputs[`channel ${i}`]?.flow_h ?? 0) / (24 * share) - 1)).toBeLessThan(0.05)
    expect(dryS(day, rooms, 'pump', 86_400)).toBe(0)
  })
})

test('one of eight rooms at 20 % is heated with the pump on; the others stay closed', () => {
  const day = dayOf(8, DEMAND, (channel) => (channel === 1 ? 0.2 : 0))
  expect(day.outputs['channel 1']?.flow_h).toBeCloseTo(4.8, 1)
  expect(day.outputs.pump?.on_h).toBeGreaterThan(4.8)
  expect(day.outputs['channel 2']).toEqual({
    on_h: 0,
    starts: 0,
    shortest_on_s: null,
    shortest_off_s: null,
    flow_h: 0,
  })
})

test('three screed loops at 15 % start the boiler at most once an hour', () => {
  const day = dayOf(3, BOILER, () => 0.15, 24, 1800)
  expect(day.outputs.boiler?.starts).toBeLessThanOrEqual(24)
  expect(day.outputs.boiler?.shortest_on_s).toBeGreaterThanOrEqual(600)
})

test('with a pump alone the loops open one after the other, with a boiler together', () => {
  const most = (rest: string) => {
    const { events } = dayOf(8, rest, () => 0.2, 6)
    const runs = Array.from({ length: 8 }, (_, i) => runsOf(events, `channel ${i + 1}`, 6 * 3600))
    const at = (s: number) => runs.filter((list) => list.some(([from, to]) => s >= from && s < to)).length
    return Math.max(...Array.from({ length: 6 * 360 }, (_, i) => at(i * 10)))
  }
  expect(most(PUMP)).toBeLessThanOrEqual(3)
  expect(most(BOILER)).toBe(8)
})

test('an actuator with a position holds its power without windows', () => {
  const yaml =
    'devices: { url: "mqtt://127.0.0.1" }\nchannels: [{ channel: 1, driver: mqtt, set: { topic: a, percent: true } }]\n'
  const settings = settingsOf(parseGatewayFile(yaml, 'gateway.yaml'), '/nowhere')
  const { outputs } = rehearse({ settings, hours: 10, power: new Map([[1, 0.35]]), windowS: 900 })
  expect(outputs['channel 1']).toMatchObject({ starts: 1, on_h: 10 })
  expect(outputs['channel 1']?.flow_h).toBeCloseTo(3.5, 2)
})

describe('any powers', () => {
  const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
  const config = fc.constantFrom(
    `${PUMP}\n${BOILER}`,
    DEMAND,
    BOILER,
    'boiler: { driver: shelly, topic: b, min_open_loops: 2 }\npump: { driver: shelly, topic: p }',
    'demand: { driver: shelly, topic: d, min_flow: 30, min_run_s: 900 }',
    'pump: { driver: shelly, topic: s }\nboiler: { driver: shelly, topic: s, min_off_s: 1200 }',
  )

  test('no boiler run or pause is too short, the pump runs while water flows, and enough loops are open', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 4, maxLength: 4 }), config, (powers, rest) => {
        const day = dayOf(4, rest, (channel) => powers[channel - 1] ?? 0, 12)
        const endS = 12 * 3600
        const { runS, pauseS } = shortest(runsOf(day.events, 'boiler', endS), endS)
        expect(runS).toBeGreaterThanOrEqual(rest.includes('min_run_s') ? 900 : 600)
        expect(pauseS).toBeGreaterThanOrEqual(rest.includes('min_off_s') ? 1200 : 600)
        if (day.outputs.pump) expect(dryS(day, 4, 'pump', endS)).toBe(0)
        const channels = [1, 2, 3, 4].map((i) => runsOf(day.events, `channel ${i}`, endS))
        const open = (s: number) => channels.filter((runs) => runs.some(([from, to]) => s >= from && s < to)).length
        const moments = day.events.map(({ at_s }) => at_s)
        if (rest.includes('min_open_loops'))
          for (const [from, to] of runsOf(day.events, 'boiler', endS))
            for (const s of [from, ...moments]) if (s >= from && s < to) expect(open(s)).toBeGreaterThanOrEqual(2)
      }),
      { numRuns: runs(12) },
    )
  })

  test('each room gets its share within a cycle’s opening', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 4, maxLength: 4 }), (powers) => {
        const day = dayOf(4, `${PUMP}\n${BOILER}`, (channel) => powers[channel - 1] ?? 0)
        for (const [i, power] of powers.entries())
          expect(Math.abs((day.outputs[`channel ${i + 1}`]?.flow_h ?? 0) - 24 * power)).toBeLessThan(0.4)
      }),
      { numRuns: runs(8) },
    )
  })
})

describe('the command', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rehearse-'))
    writeFileSync(join(folder, 'gateway.yaml'), file(2, `${PUMP}\n${BOILER}`))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('prints the switches and a line for each output, or JSON', async () => {
    const text = await runMain(['rehearse', '--hours', '6', '--power', '1=0.2'], folder)
    expect(text.code).toBe(0)
    expect(text.output).toContain('00:01:00  pump on')
    expect(text.output).toMatch(/^channel 1 +1\.20 h +6 /m)
    const { code, output } = await runMain(['rehearse', '--hours', '6', '--power', '1=0.2', '--json'], folder)
    expect(code).toBe(0)
    const { outputs, events } = JSON.parse(output)
    expect(Object.keys(outputs)).toEqual(['channel 1', 'channel 2', 'pump', 'boiler'])
    expect(Object.keys(outputs.pump)).toEqual(['on_h', 'starts', 'shortest_on_s', 'shortest_off_s', 'flow_h'])
    expect(events[0]).toEqual({ at_s: 0, output: 'channel 1', on: true })
  })

  test('names what is wrong', async () => {
    const wrong = await runMain(['rehearse', '--power', '9=0.2'], folder)
    expect(wrong).toEqual({
      code: 1,
      output: 'hypocaust: --power: there is no channel 9 in the file; there are: 1, 2\n',
    })
    const short = await runMain(['rehearse', '--power', '1=0.2', '--window', '5'], folder)
    expect(short.output).toContain('--window must be a number from 60 to 86400, not 5')
    expect(short.code).toBe(2)
  })

  test.each([
    ['1=2', '"1=2" is not'],
    ['bath=0.2', '"bath=0.2" is not'],
    ['1=0.2;2=0.1', '"1=0.2;2=0.1" is not'],
    ['', '"" is not'],
    ['1=-0.1', '"1=-0.1" is not'],
    ['1=0.2,1=0.3', 'names channel 1 twice'],
  ])('refuses the powers %j', (text, message) => {
    expect(() => parsePowers(text, [1, 2])).toThrow(message)
  })
})
