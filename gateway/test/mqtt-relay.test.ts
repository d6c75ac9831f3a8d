import { describe, expect, test } from 'vitest'
import { parseGatewayFile, settingsOf } from '../src/config/load.ts'
import { mqtt } from '../src/valves/mqtt.ts'
import { Position } from '../src/valves/position.ts'

const channelOf = (entry: string) => {
  const file = parseGatewayFile(
    `devices: { url: "mqtt://a" }\nchannels:\n  - { channel: 6, ${entry} }\n`,
    'gateway.yaml',
  )
  const [channel] = settingsOf(file, '.').channels
  if (!channel) throw new Error('no channel')
  return channel
}
const complaint = (entry: string) => {
  try {
    channelOf(entry)
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}
const reply = { replyTo: '', id: 0 }
const RELAY = `driver: mqtt, set: { topic: a/set, on: '{"state":"ON"}', off: OFF }, state: { topic: a, path: state, on: ON }, online: { topic: a/avail, on: online }`

describe('a generic relay', () => {
  const relay = channelOf(`${RELAY}, auto_off_s: none`)
  const feedback = (topic: string, payload: string) => mqtt.feedback(relay, topic, Buffer.from(payload), reply)

  test('gets the payloads of the file', () => {
    const published = (on: boolean) => mqtt.publishes(relay, { on, backAfterS: null }, reply)
    expect(published(true)).toEqual([{ topic: 'a/set', payload: '{"state":"ON"}' }])
    expect(published(false)).toEqual([{ topic: 'a/set', payload: 'OFF' }])
    expect(mqtt.subscriptions(relay, reply)).toEqual(['a', 'a/avail'])
  })

  test('reports its state at a path, and whether it is online', () => {
    expect(feedback('a', '{"state":"ON"}')).toEqual({ kind: 'state', on: true, watts: null })
    expect(feedback('a', '{"state":"OFF"}')).toEqual({ kind: 'state', on: false, watts: null })
    expect(feedback('a', '{"battery":3}')).toBeUndefined()
    expect(feedback('a/avail', 'online')).toEqual({ kind: 'online', online: true })
    expect(feedback('a/avail', 'offline')).toEqual({ kind: 'online', online: false })
    expect(feedback('b', '{"state":"ON"}')).toBeUndefined()
  })

  test('goes off by itself only when the file says after how long', () => {
    expect(mqtt.goesBack(true, relay)).toBe(false)
    expect(mqtt.goesBack(true, channelOf(`${RELAY}, auto_off_s: 600`))).toBe(true)
    expect(mqtt.confirms(channelOf('driver: mqtt, set: { topic: a, on: 1, off: 0 }'))).toBe('never')
  })

  test('needs no topic to set it where it only reports', () => {
    const reporting = channelOf('driver: mqtt, state: { topic: other/valve, on: 1 }')
    expect(mqtt.publishes(reporting, { on: true, backAfterS: null }, reply)).toEqual([])
    expect(mqtt.subscriptions(reporting, reply)).toEqual(['other/valve'])
    expect(complaint('driver: mqtt')).toContain('or, for a channel that only reports, state: { topic }')
    const source = 'driver: mqtt, state: { topic: b, on: 1 }'
    expect(() =>
      parseGatewayFile(
        `devices: { url: "mqtt://a" }\nchannels:\n  - { channel: 6, ${RELAY} }\npump: { ${source} }\n`,
        'gateway.yaml',
      ),
    ).toThrow('pump.set: the driver mqtt needs set: { topic, on, off }')
  })

  test('comes from a profile by its name', () => {
    const { mqtt: shelly1 } = channelOf('profile: shelly-gen1, topic: shellies/shelly1-AB, output: 1')
    expect(shelly1).toMatchObject({
      set: { kind: 'switch', topic: 'shellies/shelly1-AB/relay/1/command', on: 'on', off: 'off' },
      state: { topic: 'shellies/shelly1-AB/relay/1', on: 'on' },
    })
    expect(channelOf('profile: shelly-gen1, topic: shellies/shelly1-AB').topic).toContain('/relay/0/')
  })

  test.each([
    ['topic: a', 'gateway.yaml:3: channels.0: needs either driver or profile'],
    ['driver: mqtt', 'channels.0.set: the driver mqtt needs set: { topic, on, off }, { topic, percent: true }'],
    ['driver: shelly', 'channels.0.topic: is missing'],
    ['profile: rtl_433, topic: a', 'channels.0.profile: there is no profile rtl_433 with a relay; there are: ccu-jack'],
    [`${RELAY}, heat: electric, floor_probe: { sensor: mat }`, 'an electric mat needs a relay that switches off'],
  ])('%s is refused', (entry, message) => {
    expect(complaint(entry)).toContain(message)
  })
})

describe('an actuator with a position', () => {
  const started = (entry = 'profile: vdmot, topic: VdMot, output: Kitchen') => {
    const published: string[] = []
    const { mqtt: settings } = channelOf(entry)
    if (settings?.set?.kind !== 'percent') throw new Error('no position')
    const publish = ({ topic, payload }: { topic: string; payload: string }) => {
      published.push(`${topic} ${payload}`)
      return true
    }
    const position = new Position({ name: 'channel 7', mqtt: settings, set: settings.set, publish, log: () => {} })
    const power = (value: number, atMs: number) => {
      position.aim(value)
      position.set(value > 0, atMs)
    }
    const report = (percent: number, atMs: number) =>
      position.receive('VdMot/valves/Kitchen/actual', Buffer.from(String(percent)), false, atMs)
    return { published, position, power, report }
  }

  test('gets its position at the path of the file, field within field', () => {
    const { published, power } = started('driver: mqtt, set: { topic: a/rpc, percent: true, path: params.brightness }')
    power(0.35, 0)
    expect(published).toEqual(['a/rpc {"params":{"brightness":35}}'])
  })

  test('gets the power itself in percent, when it changes and again after a while', () => {
    const { published, power } = started()
    power(0.35, 0)
    power(0.352, 1_000)
    power(0.5, 2_000)
    power(0.5, 303_000)
    power(0, 304_000)
    const topic = 'VdMot/valves/Kitchen/target'
    expect(published).toEqual([`${topic} 35`, `${topic} 50`, `${topic} 50`, `${topic} 0`])
  })

  test('is open as far as it reports, and not at all when it does not answer', () => {
    const { position, power, report } = started()
    power(0.4, 0)
    expect(position.share(1_000)).toBe(0)
    report(40, 30_000)
    expect(position.share(31_000)).toBe(0.4)
    power(0.8, 60_000)
    power(0.8, 700_000)
    expect(position.health.state).toBe('silent')
    expect(position.share(700_000)).toBe(0)
    report(80, 710_000)
    power(0.8, 711_000)
    expect(position.health.state).toBe('ok')
  })

  test('without a state topic counts as commanded, and is closed when the agent stops', () => {
    const { published, position, power } = started('driver: mqtt, set: { topic: t, percent: true, path: position }')
    power(0.25, 0)
    expect(position.share(1)).toBe(0.25)
    position.leave(10)
    expect(published).toEqual(['t {"position":25}', 't {"position":0}'])
  })
})
