import { type Link, type LinkParts, MqttLink } from '../base/link.ts'
import type { PolledDevices, PolledSettings } from '../polled/polled-devices.ts'
import { isPolled } from '../polled/topic.ts'

type DeviceLinkParts = Omit<LinkParts, 'name'> & { polled: PolledSettings }

/** The devices of the house: those on the broker, and those that are asked one by one. */
export class DeviceLink implements Link {
  readonly #broker: MqttLink
  readonly #polled: PolledDevices | null
  readonly #subscriptions: () => readonly string[]

  private constructor(broker: MqttLink, polled: PolledDevices | null, subscriptions: () => readonly string[]) {
    this.#broker = broker
    this.#polled = polled
    this.#subscriptions = subscriptions
  }

  /** What asks devices is loaded only where there are any. */
  static async of({ polled, ...parts }: DeviceLinkParts): Promise<DeviceLink> {
    const { subscriptions, onMessage, log } = parts
    const broker = new MqttLink({
      ...parts,
      name: 'the device broker',
      subscriptions: () => subscriptions().filter((topic) => !isPolled(topic)),
    })
    if (polled.modbus.length + polled.http.length === 0) return new DeviceLink(broker, null, subscriptions)
    const { PolledDevices } = await import('../polled/polled-devices.ts')
    const hears = (topic: string, payload: string) => onMessage(topic, Buffer.from(payload), false)
    return new DeviceLink(broker, new PolledDevices(polled, { onMessage: hears, log }), subscriptions)
  }

  get connected(): boolean {
    return this.#broker.connected
  }

  get refused(): boolean {
    return this.#broker.refused
  }

  start(): void {
    this.#broker.start()
    this.#polled?.start(new Set(this.#subscriptions()))
  }

  publish(topic: string, payload: string, how: { qos: 0 | 1; retain: boolean }): boolean {
    return isPolled(topic) ? (this.#polled?.order(topic, payload) ?? false) : this.#broker.publish(topic, payload, how)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#polled?.stop(), this.#broker.stop()])
  }
}
