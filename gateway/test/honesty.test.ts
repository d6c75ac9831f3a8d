import { HOUR_S } from '@hypocaust/domain/facts'
import { describe, expect, test } from 'vitest'
import type { DriverName, Publish } from '../src/valves/driver.ts'
import { Relay } from '../src/valves/relay.ts'

interface Case {
  driver: DriverName
  topic: string
  output: string
  want: boolean
  /** What the relay says by itself at this second, or in answer to a message. */
  says?: (atS: number) => [topic: string, said: object | string] | undefined
  answers?: (message: Publish) => [topic: string, said: object | string] | undefined
}

const CASES: Record<string, Case> = {
  'healthy Tasmota, wanted open': {
    driver: 'tasmota',
    topic: 'manifold',
    output: '1',
    want: true,
    answers: ({ topic, payload }) =>
      topic === 'cmnd/manifold/POWER1' ? ['stat/manifold/POWER1', payload || 'ON'] : undefined,
  },
  'dead zigbee2mqtt relay, wanted open': {
    driver: 'zigbee2mqtt',
    topic: 'zigbee2mqtt/manifold',
    output: 'l1',
    want: true,
  },
  'silent Tasmota, wanted open': { driver: 'tasmota', topic: 'manifold', output: '1', want: true },
  'Shelly that reports off every minute, wanted open': {
    driver: 'shelly',
    topic: 'shelly',
    output: '0',
    want: true,
    says: (atS) => (atS % 60 === 10 ? ['shelly/status/switch:0', { id: 0, output: false }] : undefined),
  },
  'welded Shelly that reports on, wanted closed': {
    driver: 'shelly',
    topic: 'shelly',
    output: '0',
    want: false,
    says: (atS) => (atS % 60 === 1 ? ['shelly/status/switch:0', { id: 0, output: true }] : undefined),
  },
  'welded zigbee2mqtt relay that answers on, wanted closed': {
    driver: 'zigbee2mqtt',
    topic: 'zigbee2mqtt/manifold',
    output: '',
    want: false,
    answers: ({ topic }) => (topic.endsWith('/set') ? ['zigbee2mqtt/manifold', { state: 'ON' }] : undefined),
  },
}

/** An hour of a relay, a second at a time; answers come after the step, as over a broker. */
function hourOf({ driver, topic, output, want, says, answers }: Case) {
  const published: Publish[] = []
  const logged: string[] = []
  const relay = new Relay({
    name: 'channel 1 (bath)',
    settings: { driver, topic, output, normally: 'closed', autoOffS: 900 },
    reply: { replyTo: 'hypocaust', id: 1 },
    isAutoOffProven: () => false,
    publish: (message) => published.push(message) > 0,
    log: (line) => logged.push(line),
  })
  let openS = 0
  for (let s = 0; s < HOUR_S; s += 1) {
    relay.set(want, s * 1000)
    const said = [says?.(s), ...published.splice(0).map((message) => answers?.(message))]
    for (const message of said) {
      if (!message) continue
      const payload = typeof message[1] === 'string' ? message[1] : JSON.stringify(message[1])
      relay.receive(message[0], Buffer.from(payload), false, s * 1000 + 100)
    }
    openS += relay.isOpen(s * 1000 + 500) ? 1 : 0
  }
  return { openS, ...relay.health, logged }
}

describe('an hour of a relay', () => {
  test.each([
    ['healthy Tasmota, wanted open', 3600, 'ok', null, []],
    [
      'dead zigbee2mqtt relay, wanted open',
      0,
      'silent',
      null,
      ['its relay does not answer; time is not counted as open'],
    ],
    ['silent Tasmota, wanted open', 0, 'silent', null, ['its relay does not answer; time is not counted as open']],
    [
      'Shelly that reports off every minute, wanted open',
      0,
      'contradicts',
      'closed',
      ['its relay reports off although it was switched on'],
    ],
    [
      'welded Shelly that reports on, wanted closed',
      3599,
      'contradicts',
      'open',
      ['its relay reports on although it was switched off'],
    ],
    [
      'welded zigbee2mqtt relay that answers on, wanted closed',
      3600,
      'contradicts',
      'open',
      ['its relay reports on although it was switched off'],
    ],
  ] as const)('%s: open for %d s, %s', (name, openS, state, stuck, lines) => {
    const hour = hourOf(CASES[name] as Case)
    expect(hour).toEqual({
      openS,
      state,
      stuck,
      faults: state === 'ok' ? 0 : 1,
      logged: lines.map((line) => `channel 1 (bath): ${line}`),
    })
  })
})
