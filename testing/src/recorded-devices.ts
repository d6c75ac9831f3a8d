import type { Party } from './party.ts'

/** What devices of all families say and hear, in the form recorded from real ones. */
export const CHANNELS = `
channels:
  - { channel: 1, name: bath, driver: shelly, topic: shellypro4pm-a8032ab1c2d4, output: 0 }
  - { channel: 2, driver: zigbee2mqtt, topic: zigbee2mqtt/manifold, output: l1 }
  - { channel: 3, driver: tasmota, topic: tasmota_B83024, output: 2 }
  - { channel: 4, driver: esphome, topic: cellar, output: valve_4 }
`

export const SENSORS = `
sensors:
  collect_s: 0.2
  every_s: 0
  bthome:
    keys: [{ sensor: "54:48:E6:8F:80:A5", key: 231d39c1d7cc1ab1aee224cd096db932 }]
  esphome: [{ sensor: "02:00:00:00:00:05", temperature: cellar/sensor/hall_temperature/state }]
`

/** By sensor, after all families have spoken. */
export const TEMPERATURES = {
  'a4:c1:38:d5:d4:98': 21.4,
  '54:48:e6:8f:80:a5': 25.06,
  '00:15:8d:00:01:a2:b3:c4': 22.41,
  'a4:c1:38:8b:b3:af': 18.8,
  '02:00:00:00:00:05': 19.25,
}

/** One message of a sensor of each of the five families. */
export function allFamiliesSpeak(devices: Party): void {
  devices.say(
    'zigbee2mqtt/bridge/devices',
    [{ ieee_address: '0x00158d0001a2b3c4', friendly_name: 'bath/floor', power_source: 'Battery' }],
    true,
  )
  devices.say('home/OMG_B1/BTtoMQTT/A4C138D5D498', {
    id: 'A4:C1:38:D5:D4:98',
    name: 'ATC_D5D498',
    rssi: -71,
    model_id: 'LYWSD03MMC/MJWSD05MMC_ATC',
    tempc: 21.4,
    tempf: 70.52,
    hum: 47,
    batt: 81,
    volt: 2.939,
  })
  devices.say('shellyplus1-b0b21c/events/ble', {
    src: 'shellyplus1-b0b21c',
    srcBle: { mac: '54:48:e6:8f:80:a5', rssi: -63 },
    payload: '41a47266c95f730011223378237214',
  })
  devices.say('zigbee2mqtt/bath/floor', {
    battery: 87,
    temperature: 22.41,
    humidity: 48.2,
    linkquality: 112,
    last_seen: new Date().toISOString(),
  })
  devices.say('tele/tasmota_B83024/SENSOR', {
    Time: '2026-01-10T08:15:56',
    LYWSD038bb3af: { mac: 'a4c1388bb3af', Temperature: 18.8, Humidity: 53.7, Battery: 83, RSSI: -85 },
    TempUnit: 'C',
  })
  devices.say('cellar/sensor/hall_temperature/state', '19.25')
}

/** Resolves when the relays of all four families have got the command to open. */
export async function allRelaysOpen(devices: Party): Promise<void> {
  await Promise.all([
    devices.on('shellypro4pm-a8032ab1c2d4/rpc', (text) => JSON.parse(text).params.on === true),
    devices.on('zigbee2mqtt/manifold/set', (text) => text.includes('"ON"')),
    devices.on('cmnd/tasmota_B83024/POWER2', (text) => text === 'ON'),
    devices.on('cellar/switch/valve_4/command', (text) => text === 'ON'),
  ])
}

export async function allRelaysClose(devices: Party): Promise<void> {
  await Promise.all([
    devices.on('shellypro4pm-a8032ab1c2d4/rpc', (text) => JSON.parse(text).params.on === false),
    devices.on('zigbee2mqtt/manifold/set', (text) => text === '{"state_l1":"OFF"}'),
    devices.on('cmnd/tasmota_B83024/POWER2', (text) => text === 'OFF'),
    devices.on('cellar/switch/valve_4/command', (text) => text === 'OFF'),
  ])
}
