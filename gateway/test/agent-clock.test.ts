import type { Ack } from '@hypocaust/domain'
import { house, START } from '@hypocaust/testing/agent-simulation.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import { describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

const started = () => simulatedAgent(house(2))

describe('the clock', () => {
  test.each([-DAY * 365 * 20, DAY * 365 * 20, -HOUR, HOUR])('a jump by %d s moves no valve', (jumpS) => {
    const house = started()
    house.connect()
    house.configure({ 1: 0, 2: 0 })
    house.command(1, { 1: 0.5, 2: 0 })
    const share = house.shareOpen(1, 40 * MINUTE, (atS) => {
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
