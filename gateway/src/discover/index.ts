import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '../base/error.ts'
import { access, MqttLink } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import type { BrokerSettings } from '../config/settings.ts'
import { Finder } from './finder.ts'
import { type Discovery, describeProposal, describeRelay, describeSensor } from './starting-file.ts'

export interface DiscoverOptions {
  broker: BrokerSettings
  seconds: number
  /** Called for each sensor and relay when it is first heard. */
  log: Log
  /** Ends the listening early. */
  signal: AbortSignal
}

/** Tasmota speaks every five minutes unless asked; these only ask. */
const QUESTIONS = [
  ['cmnd/tasmotas/STATE', ''],
  ['cmnd/tasmotas/STATUS', '10'],
] as const

/** Listens on a broker and tells which sensors and relays speak there. */
export async function discover({ broker, seconds, log, signal }: DiscoverOptions): Promise<Discovery> {
  const finder = new Finder()
  const announced = new Set<string>()
  const tell = (key: string, line: string) => {
    if (!announced.has(key)) log(line)
    announced.add(key)
  }
  let connected = false
  const link = new MqttLink({
    name: 'the broker',
    url: broker.url,
    options: access(broker),
    slowestRetryMs: 2_000,
    log,
    subscriptions: () => ['#'],
    onUp: () => {
      connected = true
      for (const [topic, payload] of QUESTIONS) link.publish(topic, payload, { qos: 0, retain: false })
    },
    onMessage: (topic, payload, retained) => {
      finder.hear({ topic, payload, retained, nowMs: Date.now() })
      for (const sensor of finder.sensors.values()) tell(sensor.id, `sensor  ${describeSensor(sensor)}`)
      for (const [key, relay] of finder.relays) tell(key, `relay   ${describeRelay(relay)}`)
      for (const [key, proposal] of finder.proposals) tell(key, `maybe   ${describeProposal(proposal)}`)
    },
  })
  link.start()
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined)
  await link.stop()
  if (!connected) throw new GatewayError(`no connection to ${broker.url}; is the address right?`)
  const { offers } = finder
  for (const { about } of [...offers.sensors, ...offers.channels]) log(`offer   ${about}`)
  const offered = new Set(offers.sensors.map(({ entry }) => entry.topic))
  return {
    url: broker.url,
    offers,
    sensors: [...finder.sensors.values()],
    relays: [...finder.relays.values()],
    proposals: [...finder.proposals.values()].filter(({ topic }) => !offered.has(topic)),
  }
}
