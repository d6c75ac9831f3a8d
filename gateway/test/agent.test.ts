import type { Ack, Readings } from '@hypocaust/domain'
import { house } from '@hypocaust/testing/agent-simulation.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import { describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

const started = () => simulatedAgent(house(2))

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
    const share = house.shareOpen(1, 45 * MINUTE, measure)
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
    expect(house.shareOpen(1, 2 * HOUR)).toBeCloseTo(0.5, 1)
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
    expect(house.shareOpen(1, HOUR)).toBe(0)
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

  test('paired anew, another gateway’s orders and fallback mean nothing', () => {
    const house = started()
    house.connect()
    house.configure({ 1: 1, 2: 1 })
    house.command(900, { 1: 0, 2: 0 })
    house.becomeGateway('019bb0f4-6e00-7c3a-9d5e-000000000000')
    house.connect()
    expect(house.shareOpen(1, 10 * MINUTE)).toBe(0)
    house.configure({ 1: 1, 2: 0 }, { min_open_s: 0 })
    house.pass(5)
    expect(house.isOn(1)).toBe(false)
  })
})
