import { HttpDevice, type HttpSettings } from './http-device.ts'
import { ModbusDevice, type ModbusSettings } from './modbus-device.ts'
import type { PolledDevice, PolledParts } from './polled-device.ts'
import { deviceOf } from './topic.ts'

export interface PolledSettings {
  modbus: ModbusSettings[]
  http: HttpSettings[]
}

/** All devices that have to be asked, behind topics as if they were on the broker. */
export class PolledDevices {
  readonly #devices: ReadonlyMap<string, PolledDevice>

  constructor({ modbus, http }: PolledSettings, parts: PolledParts) {
    this.#devices = new Map<string, PolledDevice>([
      ...modbus.map((each) => [`modbus:${each.name}`, new ModbusDevice(each, parts)] as const),
      ...http.map((each) => [`http:${each.name}`, new HttpDevice(each, parts)] as const),
    ])
  }

  start(topics: ReadonlySet<string>): void {
    for (const device of this.#devices.values()) device.start(topics)
  }

  order(topic: string, payload: string): boolean {
    return this.#devices.get(deviceOf(topic))?.order(topic, payload) ?? false
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#devices.values()].map((device) => device.stop()))
  }
}
