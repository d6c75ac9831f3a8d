import { setTimeout as sleep } from 'node:timers/promises'
import { DeviceLink } from '../agent/device-link.ts'
import { holdTopic } from '../agent/hold.ts'
import { GatewayError } from '../base/error.ts'
import { access } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import type { ChannelSettings, GatewaySettings } from '../config/settings.ts'
import { AutoOffProofs } from '../valves/auto-off.ts'
import { powerOnLine, requestPowerOnState } from '../valves/power-on.ts'
import { autoOffExists, type Switch } from '../valves/relay.ts'
import { switchOf } from '../valves/switch.ts'

const CONNECT_MS = 10_000
const MARGIN_S = 15
const ANSWER_S = 10
const POLL_MS = 100
/** A motor stops before it closes. */
const TURNS_ROUND_MS = 1_500

export interface TestOptions {
  settings: GatewaySettings
  channel: number
  seconds: number
  log: Log
  /** Closes the loop early. */
  signal: AbortSignal
}

/** Opens one loop for a while, for the person at the manifold. A running agent leaves the channel alone meanwhile. */
export async function testChannel({ settings, channel, seconds, log, signal }: TestOptions): Promise<void> {
  const chosen = channelOf(settings, channel)
  await atManifold(settings, chosen, seconds + MARGIN_S, log, async (relay) => {
    relay.aim?.(1)
    let isOpening = true
    const drive = () => relay.set(isOpening, performance.now())
    drive()
    const hasPosition = relay.share !== undefined
    log(
      `${chosen.name} opens for ${seconds} s; ${hasPosition ? 'its actuator is set to 100 %' : 'a thermal actuator takes about 3 minutes to open fully'}`,
    )
    // A motor is driven by the time it runs.
    const driving = hasPosition ? setInterval(drive, POLL_MS) : undefined
    await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted && !relay.isOpen(performance.now()))
      log(
        `${chosen.name}: ${hasPosition ? 'its actuator has not reported a position above 0 %' : `its relay has not reported that it is ${chosen.normally === 'closed' ? 'on' : 'off'}`}`,
      )
    isOpening = false
    drive()
    if (hasPosition) await sleep(TURNS_ROUND_MS)
    clearInterval(driving)
    relay.leave(performance.now())
    log(`${chosen.name} closes`)
  })
}

export interface AutoOffOptions extends Omit<TestOptions, 'channel'> {
  /** All channels unless given. */
  channel: number | null
}

export interface AutoOffResult {
  channel: number
  auto_off: 'proven' | 'unproven' | 'none'
  why: string
}

/** Opens loops for some seconds and watches whether their relays go back by themselves; the result is kept. */
export async function testAutoOff(options: AutoOffOptions): Promise<AutoOffResult[]> {
  const { settings, channel, seconds, log, signal } = options
  const proofs = new AutoOffProofs(settings.dataFolder)
  const chosen = channel === null ? settings.channels : [channelOf(settings, channel)]
  const results: AutoOffResult[] = []
  for (const each of chosen) {
    if (signal.aborted) break
    const result = { channel: each.channel, ...(await proveAutoOff(settings, each, seconds, log, signal)) }
    proofs.write(each, result.auto_off === 'proven', new Date())
    log(`${each.name}: auto-off ${result.auto_off}: ${result.why}`)
    results.push(result)
  }
  return results
}

async function proveAutoOff(
  settings: GatewaySettings,
  channel: ChannelSettings,
  seconds: number,
  log: Log,
  signal: AbortSignal,
): Promise<Pick<AutoOffResult, 'auto_off' | 'why'>> {
  // A normally open loop is open while its relay is off, so its relay must go back on.
  const [opened, back] = channel.normally === 'closed' ? ['on', 'off'] : ['off', 'on']
  if (!autoOffExists(channel, channel.normally))
    return { auto_off: 'none', why: `a ${channel.driver} relay has no timer that switches it ${back}` }
  return atManifold(settings, channel, seconds, log, async (relay) => {
    relay.set(true, performance.now())
    const reached = (open: boolean, withinS: number) =>
      until(() => relay.isOpen(performance.now()) === open, withinS * 1000, signal)
    const hasOpened = await reached(true, ANSWER_S)
    const hasClosed = hasOpened && (await reached(false, seconds + MARGIN_S))
    if (!hasClosed) relay.set(false, performance.now())
    if (hasClosed) return { auto_off: 'proven', why: `it switched ${back} by itself within ${seconds + MARGIN_S} s` }
    if (hasOpened)
      return {
        auto_off: 'unproven',
        why: `it was still ${opened} after ${seconds + MARGIN_S} s and was switched ${back}`,
      }
    return { auto_off: 'unproven', why: `it has not reported that it is ${opened}` }
  })
}

function channelOf(settings: GatewaySettings, channel: number): ChannelSettings {
  const chosen = settings.channels.find((each) => each.channel === channel)
  const all = settings.channels.map((each) => each.channel).join(', ') || 'none'
  if (!chosen) throw new GatewayError(`there is no channel ${channel} in the configuration; there are: ${all}`)
  return chosen
}

/** Works one relay over the device broker, with a running agent held off, and logs what it does after a power cut. */
async function atManifold<T>(
  settings: GatewaySettings,
  channel: ChannelSettings,
  autoOffS: number,
  log: Log,
  work: (relay: Switch) => Promise<T>,
): Promise<T> {
  const gatewayId = settings.service?.gatewayId ?? 'gateway'
  const reply = { replyTo: `hypocaust-${gatewayId}-test`, id: channel.channel }
  const up = Promise.withResolvers<void>()
  let powerOn: string | undefined
  const relay = switchOf({
    name: channel.name,
    settings: { ...channel, autoOffS },
    reply,
    isAutoOffProven: () => false,
    publish: ({ topic, payload }) => link.publish(topic, payload, { qos: 0, retain: false }),
    log,
  })
  const link: DeviceLink = await DeviceLink.of({
    polled: settings.polled,
    url: settings.devices.url,
    options: access(settings.devices),
    slowestRetryMs: 2_000,
    log,
    subscriptions: () => relay.subscriptions,
    onUp: () => up.resolve(),
    onMessage: (topic, payload, retained) => {
      relay.receive(topic, payload, retained, performance.now())
      const line = powerOnLine(channel, topic, payload, reply)
      if (line !== undefined && line !== powerOn) log(`${channel.name}: ${line}`)
      powerOn = line ?? powerOn
    },
  })
  link.start()
  try {
    await inTime(up.promise, settings.devices.url)
    const hold = JSON.stringify({ channel: channel.channel, seconds: autoOffS + MARGIN_S })
    link.publish(holdTopic(gatewayId), hold, { qos: 1, retain: false })
    for (const { topic, payload } of requestPowerOnState(channel, reply))
      link.publish(topic, payload, { qos: 0, retain: false })
    return await work(relay)
  } finally {
    await link.stop()
  }
}

async function until(isReached: () => boolean, withinMs: number, signal: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + withinMs
  while (!isReached() && performance.now() < endMs && !signal.aborted)
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  return isReached()
}

async function inTime(up: Promise<void>, url: string): Promise<void> {
  const late = sleep(CONNECT_MS, 'late' as const, { ref: false })
  if ((await Promise.race([up, late])) === 'late') throw new GatewayError(`no connection to ${url} within 10 s`)
}
