import type { Ack, GatewayStatus } from '@hypocaust/domain'
import { house, ID, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const MINUTE = 60

/** Every reading goes on, however soon after the last. */
const EAGER = house(2).replace('sensors:', 'sensors:\n  collect_s: 1\n  every_s: 0')

const started = () => simulatedAgent(house(2))

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
