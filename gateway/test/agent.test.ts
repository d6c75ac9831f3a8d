import type { Ack, GatewayStatus, Readings } from '@hypocaust/domain'
import { house, ID, Simulation, START } from '@hypocaust/testing/agent-simulation.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** Every reading goes on, however soon after the last. */
const EAGER = house(2).replace('sensors:', 'sensors:\n  collect_s: 1\n  every_s: 0')

let running: Simulation | undefined

function started(yaml = house(2)): Simulation {
  running = new Simulation(yaml)
  return running
}

afterEach(() => {
  running?.end()
  running = undefined
})

/** The share of the time for which a relay was on. */
function shareOpen(house: Simulation, relay: number, seconds: number, each: (atS: number) => void = () => {}): number {
  let open = 0
  house.pass(seconds, (atS) => {
    each(atS)
    open += house.isOn(relay) ? 1 : 0
  })
  return open / seconds
}

const temperatures = (messages: Readings[]) =>
  messages.flatMap(({ readings }) => readings.map((r) => r.temperature ?? Number.NaN))

describe('the service goes away for an hour', () => {
  test('the valves follow the fallback; back again, the backlog arrives in order and fills the history', () => {
    const house = started()
    house.connect()
    house.configure({ 1: 0.6, 2: 0 }, { fallback: { after_s: 900, power: { 1: 0.6, 2: 0 } } })
    house.command(1, { 1: 0.2, 2: 0.4 })
    let measured = 0
    const measure = (atS: number) => {
      if (atS % MINUTE === 0) house.measure(15 + measured++ / 100)
    }
    const answer = () => {
      for (const { boot, n } of house.readings()) house.order('commit', { boot, n })
    }
    house.pass(10 * MINUTE, (atS) => {
      measure(atS)
      answer()
    })

    house.service.connected = false
    house.service.sent.length = 0
    house.pass(15 * MINUTE, measure)
    const share = shareOpen(house, 1, 45 * MINUTE, measure)
    expect(share).toBeCloseTo(0.6, 1)
    expect(house.isOn(2)).toBe(false)

    house.connect()
    house.measure(30)
    const backlog: Readings[] = []
    house.pass(20, () => {
      const messages = house.readings()
      backlog.push(...messages)
      for (const { boot, n } of messages) house.order('commit', { boot, n })
    })
    const filling = backlog.filter(({ backfill }) => backfill)
    expect(temperatures(filling)).toEqual([...temperatures(filling)].sort((a, b) => a - b))
    const all = new Set(temperatures(backlog))
    for (let i = 11; i < measured; i += 1) expect(all).toContain(Math.round((15 + i / 100) * 100) / 100)
    expect(temperatures(backlog.filter(({ backfill }) => !backfill))).toContain(30)
    const sources = house.windows().map(({ source }) => source)
    expect(sources).toContain('fallback')

    house.pass(90)
    expect(house.heartbeats().at(-1)).toMatchObject({ buffered: 0 })
    house.command(2, { 1: 0, 2: 0 })
    house.pass(4 * MINUTE)
    expect([house.isOn(1), house.isOn(2)]).toEqual([false, false])
  })

  test('a live reading does not wait behind the backlog', () => {
    const house = started()
    house.connect({ service: false })
    house.pass(5 * HOUR, (atS) => {
      if (atS % MINUTE === 0) house.measure(15)
    })
    house.connect()
    house.pass(30)
    house.readings()
    house.measure(21)
    house.pass(10)
    expect(house.readings().find(({ readings }) => readings[0]?.temperature === 21)).toMatchObject({ backfill: false })
  })

  test('seven days of readings are kept', () => {
    const house = started()
    house.connect({ service: false })
    house.pass(
      7 * DAY,
      (atS) => {
        if (atS % (5 * MINUTE) === 0) house.measure(15)
      },
      10,
    )
    house.connect()
    expect(house.heartbeats()).toMatchObject([{ buffered: 7 * 24 * 12 }])
  })
})

describe('without commands', () => {
  test('after a restart the last command counts as long as it is valid, then the fallback kept on disk', () => {
    const house = started()
    house.connect()
    house.configure({ 1: 0.5, 2: 0 })
    house.command(1, { 1: 0, 2: 1 })
    house.pass(10 * MINUTE)
    house.restart()
    house.connect({ service: false })
    let wasOff = false
    house.pass(34 * MINUTE, () => {
      wasOff ||= house.devices.sent.some(({ topic, payload }) => topic === 'cmnd/manifold/POWER2' && payload === 'OFF')
    })
    expect([house.isOn(1), house.isOn(2), wasOff]).toEqual([false, true, false])
    house.pass(6 * MINUTE)
    expect(house.isOn(2)).toBe(false)
    expect(shareOpen(house, 1, 2 * HOUR)).toBeCloseTo(0.5, 1)
  })

  test('a restart moves no valve: each loop goes on where it was', () => {
    const house = started()
    house.connect()
    house.configure({ 1: 0, 2: 0 })
    house.command(1, { 1: 0.6, 2: 0.6 })
    house.pass(6 * MINUTE)
    const before = [house.isOn(1), house.isOn(2)]
    expect(before).toContain(true)
    house.restart()
    house.connect({ service: false })
    house.pass(2)
    expect([house.isOn(1), house.isOn(2)]).toEqual(before)
  })

  test('after a restart of the machine the command counts only if the clock can tell its age', () => {
    for (const [jumpS, clockSet, followed] of [
      [60, true, true],
      [3600, true, false],
      [-3600, true, false],
      [60, false, false],
    ] as const) {
      const house = started()
      house.connect()
      house.configure({ 1: 0, 2: 0 })
      house.command(1, { 1: 1, 2: 0 })
      house.pass(MINUTE)
      house.wallMs += jumpS * 1000
      house.clockSet = clockSet
      house.reboot()
      house.connect({ service: false })
      house.pass(MINUTE)
      expect(house.isOn(1)).toBe(followed)
      house.end()
      running = undefined
    }
  })

  test('a number that locks out the service does so only until the command has run out', () => {
    const house = started()
    house.connect()
    house.configure({ 1: 0, 2: 0 })
    house.command(Number.MAX_SAFE_INTEGER, { 1: 0, 2: 0 }, { epoch: Number.MAX_SAFE_INTEGER })
    house.command(5, { 1: 1, 2: 0 })
    house.pass(46 * MINUTE)
    house.command(6, { 1: 1, 2: 0 })
    expect(house.taken<Ack>('ack').map(({ result }) => result)).toEqual(['accepted', 'stale', 'accepted'])
    house.pass(MINUTE)
    expect(house.isOn(1)).toBe(true)
  })

  test('a gateway that never got a command opens nothing', () => {
    const house = started()
    house.connect()
    expect(shareOpen(house, 1, HOUR)).toBe(0)
  })

  test('an old command cannot win after a restart', () => {
    const house = started()
    house.connect()
    house.command(9, { 1: 0, 2: 0 })
    house.reboot()
    house.connect()
    house.command(8, { 1: 1, 2: 1 })
    expect(house.taken<Ack>('ack')).toMatchObject([{ seq: 8, result: 'stale' }])
    house.pass(MINUTE)
    expect(house.isOn(1)).toBe(false)
  })
})

describe('messages', () => {
  test('the will says offline with the same boot, and a new start has a new one', () => {
    const house = started()
    house.connect()
    const [online] = house.taken<GatewayStatus>('status')
    expect(online).toMatchObject({ state: 'online', channels: 2, config_revision: null, version: '0.0.0' })
    const { topic, payload } = house.agent.will
    expect(topic).toBe(`hypocaust/v1/${ID}/up/status`)
    expect(JSON.parse(payload)).toMatchObject({ state: 'offline', boot: online?.boot })
    house.reboot()
    house.connect()
    expect(house.taken<GatewayStatus>('status')[0]?.boot).not.toBe(online?.boot)
  })

  test('a heartbeat a minute', () => {
    const house = started()
    house.connect()
    house.pass(10 * MINUTE)
    const beats = house.heartbeats()
    expect(beats).toHaveLength(11)
    expect(beats.at(-1)).toMatchObject({ uptime_s: 602, buffered: 0, clock_ok: true })
  })

  test('a message is sent again until it is committed, and then never', () => {
    const house = started()
    house.connect()
    house.measure(20)
    house.pass(5 * MINUTE)
    const sent = house.readings()
    expect(sent.length).toBeGreaterThan(5)
    expect(new Set(sent.map(({ boot, n }) => `${boot}/${n}`)).size).toBe(1)
    for (const { boot, n } of sent) house.order('commit', { boot, n })
    house.pass(5 * MINUTE)
    expect(house.readings()).toEqual([])
  })

  test('a message that got lost is sent again after five seconds, and then every half minute', () => {
    const house = started()
    house.connect()
    house.measure(20)
    house.pass(12)
    expect(house.readings()).toHaveLength(2)
    house.pass(60)
    expect(house.readings()).toHaveLength(2)
  })

  test('a service that starts again gets at once what it has not acknowledged', () => {
    const house = started()
    house.connect()
    house.measure(20)
    house.pass(7)
    expect(house.readings()).toHaveLength(1)
    house.configure({ 1: 0, 2: 0 })
    house.pass(1)
    expect(house.readings()).toHaveLength(1)
  })

  test('a connection that comes and goes loses nothing and doubles nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ upS: fc.nat(40), downS: fc.nat(40), answers: fc.boolean() })), (flaps) => {
        const house = new Simulation(EAGER)
        house.connect({ service: false })
        const seen = new Map<number, Set<string>>()
        let measured = 0
        let seconds = 0
        const measure = () => {
          if (seconds++ % 10 === 0) house.measure(measured++ / 100)
        }
        const take = (answers: boolean) => {
          for (const { boot, n, readings } of house.readings()) {
            for (const { temperature = Number.NaN } of readings)
              seen.set(temperature, (seen.get(temperature) ?? new Set()).add(`${boot}/${n}`))
            if (answers) house.order('commit', { boot, n })
          }
        }
        for (const { upS, downS, answers } of flaps) {
          house.connect()
          house.pass(upS, () => {
            measure()
            take(answers)
          })
          house.service.connected = false
          house.pass(downS, measure)
        }
        house.connect()
        house.pass(2 * MINUTE, () => take(true))
        expect(seen.size).toBe(measured)
        for (const keys of seen.values()) expect(keys.size).toBe(1)
        expect(house.heartbeats().at(-1)?.buffered).toBe(0)
        house.end()
      }),
      { numRuns: runs(20) },
    )
  })

  test('paired anew, another gateway’s orders and fallback mean nothing', () => {
    const house = started()
    house.connect()
    house.configure({ 1: 1, 2: 1 })
    house.command(900, { 1: 0, 2: 0 })
    house.becomeGateway('019bb0f4-6e00-7c3a-9d5e-000000000000')
    house.connect()
    expect(shareOpen(house, 1, 10 * MINUTE)).toBe(0)
    house.configure({ 1: 1, 2: 0 }, { min_open_s: 0 })
    house.pass(5)
    expect(house.isOn(1)).toBe(false)
  })
})

describe('the clock', () => {
  test.each([-DAY * 365 * 20, DAY * 365 * 20, -HOUR, HOUR])('a jump by %d s moves no valve', (jumpS) => {
    const house = started()
    house.connect()
    house.configure({ 1: 0, 2: 0 })
    house.command(1, { 1: 0.5, 2: 0 })
    const share = shareOpen(house, 1, 40 * MINUTE, (atS) => {
      if (atS === 7 * MINUTE) house.wallMs += jumpS * 1000
    })
    expect(share).toBeGreaterThan(0.4)
    expect(share).toBeLessThan(0.65)
  })

  test('in the past, not set, or behind the service it is not to be believed', () => {
    const house = started()
    house.wallMs = 0
    house.connect()
    expect(house.heartbeats().at(-1)?.clock_ok).toBe(false)
    house.wallMs = START
    house.pass(MINUTE)
    expect(house.heartbeats().at(-1)?.clock_ok).toBe(true)
    house.clockSet = false
    house.pass(MINUTE)
    expect(house.heartbeats().at(-1)?.clock_ok).toBe(false)
    house.clockSet = true
    house.command(1, { 1: 0, 2: 0 }, { issued: new Date(house.wallMs + 3_600_000).toISOString() })
    house.pass(MINUTE)
    expect(house.heartbeats().at(-1)?.clock_ok).toBe(false)
    house.wallMs += 3_600_000
    house.pass(MINUTE)
    expect(house.heartbeats().at(-1)?.clock_ok).toBe(true)
  })

  test('a clock in the past does not make commands expire', () => {
    const house = started()
    house.wallMs = 0
    house.connect()
    house.command(1, { 1: 1, 2: 0 }, { issued: new Date(START).toISOString() })
    expect(house.taken<Ack>('ack')).toMatchObject([{ result: 'accepted' }])
    house.pass(MINUTE)
    expect(house.isOn(1)).toBe(true)
  })

  test('a clock a day ahead does not make commands expire, and is not to be believed', () => {
    const house = started()
    house.connect()
    house.wallMs += DAY * 1000
    for (const seq of [1, 2, 3]) {
      house.command(seq, { 1: 1, 2: 0 }, { issued: new Date(house.wallMs - DAY * 1000).toISOString() })
      house.pass(15 * MINUTE)
    }
    expect(house.taken<Ack>('ack').map(({ result }) => result)).toEqual(['accepted', 'accepted', 'accepted'])
    expect(house.heartbeats().at(-1)?.clock_ok).toBe(false)
    expect(house.isOn(1)).toBe(true)
  })

  test('readings heard before the clock was set get their true time once it is', () => {
    const house = started()
    house.wallMs = 0
    house.connect({ service: false })
    house.measure(20)
    house.pass(HOUR)
    house.wallMs = START
    house.connect()
    const [message] = house.readings()
    expect(message?.readings[0]?.timestamp).toBe(new Date(START - HOUR * 1000).toISOString())
  })

  test('also where the agent has restarted since; not where the machine has', () => {
    const house = started()
    house.wallMs = 0
    house.connect({ service: false })
    house.measure(20)
    house.pass(HOUR)
    house.restart()
    house.pass(HOUR)
    house.wallMs = START
    house.connect()
    house.pass(1)
    const heardMs = START - 2 * HOUR * 1000
    const stampsMs = house.readings().map(({ readings }) => Date.parse(readings[0]?.timestamp ?? ''))
    expect(stampsMs).toEqual([expect.closeTo(heardMs, -4)])
    house.reboot()
    house.connect()
    house.pass(1)
    expect(Date.parse(house.readings()[0]?.readings[0]?.timestamp ?? '')).toBeLessThan(HOUR * 1000)
  })
})

describe('a command that is part of a trace', () => {
  const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  test('is acknowledged with its trace and the time it took, and one without a trace as ever', () => {
    const house = started()
    house.connect()
    house.command(1, { 1: 1, 2: 0 }, { traceparent: TRACE })
    house.command(2, { 1: 0, 2: 0 })
    expect(house.taken<Ack>('ack')).toEqual([
      { epoch: 1, seq: 1, result: 'accepted', traceparent: TRACE, took_ms: 0 },
      { epoch: 1, seq: 2, result: 'accepted' },
    ])
  })

  test('is carried out whatever the trace is', () => {
    const house = started()
    house.connect()
    house.command(1, { 1: 1, 2: 0 }, { traceparent: { of: 'something else' } })
    expect(house.taken<Ack>('ack')).toEqual([{ epoch: 1, seq: 1, result: 'accepted' }])
    house.pass(MINUTE)
    expect(house.isOn(1)).toBe(true)
  })
})
