import type { Driver, DriverName } from './driver.ts'
import { esphome } from './esphome.ts'
import { mqtt } from './mqtt.ts'
import { shelly } from './shelly.ts'
import { tasmota } from './tasmota.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

export const DRIVERS: Record<DriverName, Driver> = { shelly, zigbee2mqtt, tasmota, esphome, mqtt }
