import { describe, expect, test } from 'vitest'
import { Reader } from '../src/read/index.ts'

/** Payloads as the decoders of their makers give them, from public repositories; the values are ours. */
type Payload = [model: string, payload: object]

const unit = (unit: string, value: number | string) => ({ unit, value })

const enless = (type: number, values: object) => ({
  alarm_status: { temperature_1: { high: false, low: false } },
  fw_version: 17,
  id: 129,
  states: { battery: '75%', msg_type: 'normal' },
  type,
  values,
})

const adeunis = (type: string, values: object) => ({
  bytes: { type, status: { frameCounter: 2, lowBattery: false }, decodingInfo: 'values: [t=0, t-1]', ...values },
})

const valve = (room: string) => ({
  battery_voltage: unit('mV', '3320'),
  heating_control: {
    room_temperature: unit('°C', room),
    set_point_temperature: unit('°C', '24.0'),
    valve_position: unit('%', '60.0'),
  },
})

type Room = { temperature: number; humidity?: number; battery?: number }

const ROOMS: [...Payload, Room][] = [
  [
    'vicki',
    { sensorTemperature: 18.01, relativeHumidity: 46.88, targetTemperature: 29 },
    { temperature: 18.01, humidity: 46.88 },
  ],
  [
    'fan-coil-thermostat',
    { sensorTemperature: 24.8, relativeHumidity: 45.7, valveStatus: 1 },
    { temperature: 24.8, humidity: 45.7 },
  ],
  ['oy1100', { RelativeHumidity: 42.3, Temperature: 20.1 }, { temperature: 20.1, humidity: 42.3 }],
  ['mlrtps1', { Ambient_Temperature: 27.25, Ambient_Temperature_Failure: 0, PIR_Status: 1 }, { temperature: 27.25 }],
  [
    'dl-iam',
    { air_temperature: unit('°C', 21.68), air_humidity: unit('%', 36.44), protocol_version: 2 },
    { temperature: 21.68, humidity: 36.44 },
  ],
  ['ers-co2', { temperature: 22.6, humidity: 41, light: 39, motion: 6, co2: 776 }, { temperature: 22.6, humidity: 41 }],
  [
    'wt101',
    { battery: 97, target_temperature: 30, temperature: 26.6, valve_opening: 100 },
    { temperature: 26.6, battery: 97 },
  ],
  [
    'comfort',
    adeunis('0x4c Comfort 2 data', {
      temperature: { unit: '°C', values: [19.7, 19.9, 20] },
      humidity: { unit: '%', values: [41, 42, 43] },
    }),
    { temperature: 19.7, humidity: 41 },
  ],
  [
    'comfort-co2',
    adeunis('0x6a Comfort CO2 data', {
      temperature: { unit: '°C', values: [22.5, 22.6] },
      humidity: { unit: '%', values: [38, 39] },
      co2: { unit: 'ppm', values: [620, 640] },
    }),
    { temperature: 22.5, humidity: 38 },
  ],
  [
    'tx-trh-amb-600-021',
    enless(4, { temperature: unit('°C', 21.3), humidity: unit('%', 38.6) }),
    { temperature: 21.3, humidity: 38.6, battery: 75 },
  ],
  [
    'tx-amb-600-023',
    enless(6, { Humidity: unit('%', 35.7), co2: unit('ppm', 609), temperature: unit('°C', 21.1) }),
    { temperature: 21.1, humidity: 35.7, battery: 75 },
  ],
  ['tx-temp-600-031', enless(7, { temperature_1: unit('°C', 20.5) }), { temperature: 20.5, battery: 75 }],
  ['dnt-lw-etrv', valve('20.5'), { temperature: 20.5 }],
  ['dnt-lw-wth', { room_humidity: 55, room_temperature: 219, voltage: 2880 }, { temperature: 21.9, humidity: 55 }],
  ['dnt-lw-wth', { room_humidity: 55, room_temperature: 79, voltage: 2880 }, { temperature: 7.9, humidity: 55 }],
  [
    'elv-bm-trx1',
    { Supply_Voltage: 3018, TH_Sensor_Humidity: '61', TH_Sensor_Temperature: '22.2', Temperature_Sensor: '31.9' },
    { temperature: 22.2, humidity: 61 },
  ],
  ['r711', { Device: 'R711(R712)', Volt: 3, Temp: 21.38, Humi: 48 }, { temperature: 21.38, humidity: 48 }],
  ['r711a', { Device: 'R711A', Volt: 3, Temp: 21.38 }, { temperature: 21.38 }],
  ['r718ab', { Device: 'R718AB', Volt: 3.6, Temp: 21.38, Humi: 48 }, { temperature: 21.38, humidity: 48 }],
  [
    'r718ubb',
    { Device: 'R718UB Seriers', Volt: 3.6, Temp: 21.38, Humi: 48, CO2: 600, ShockEvent: 0 },
    { temperature: 21.38, humidity: 48 },
  ],
  ['r720a', { Device: 'R720A', Volt: 3.6, Temp: 20.38, Humi: 52 }, { temperature: 20.38, humidity: 52 }],
  [
    'r720e',
    { Device: 'R720E', Volt: 3.6, TVOC_VOC: 100, Temp: 22.3, Humi: 44, SensorUnit: 'ppb' },
    { temperature: 22.3, humidity: 44 },
  ],
  ['rb11e', { Device: 'RB11E', Volt: 3.6, Temp: 22.35, Illuminance: 120, Occupy: 1 }, { temperature: 22.35 }],
  [
    'r31502',
    { Device: 'R315', Volt: 2.8, BinarySensorReport: '10010', Temp: 22.8, Humi: 43 },
    { temperature: 22.8, humidity: 43 },
  ],
  ['strips', { battery: 80, temperature: { value: 23.4 }, lux: { value: 20 } }, { temperature: 23.4, battery: 80 }],
  [
    'strips',
    { battery: 80, temperature: { value: 23.4 }, humidity: { value: 44.5 } },
    { temperature: 23.4, humidity: 44.5 },
  ],
  ['lpn-cm4', { batLevel: 75.5, humNOW: [35], tempNOW: [21.01] }, { temperature: 21.01, humidity: 35, battery: 76 }],
  [
    'iq-opentherm-lrw',
    { roomSetpointTemperature: 23, roomTemperature: 21.17, boilerFlowWaterTemperature: 41, outsideTemperature: 3 },
    { temperature: 21.17 },
  ],
  ['ath20', { Bat: 3.1, Humi: 52.3, Temp: 20.6 }, { temperature: 20.6, humidity: 52.3 }],
  ['enlink-zone', { temperature_c: 21.6, humidity: 44, lux: 120 }, { temperature: 21.6, humidity: 44 }],
]

const NO_ROOMS: Payload[] = [
  ['trashbin-sensor', { level: 4.77, temp: 20.1, voltage: 13060 }],
  ['lynx', { latitudeDeg: 52.1, longitudeDeg: -106.6, temperature: 19, type: 'position' }],
  ['lpn-td1', { posStatus: 'NONE', batVoltage: 3.975, temp: 26 }],
  ['bvs', { leak: 'N', temperature: 20, valve: 'On' }],
  ['wwd', { leak: 1, remote: 0, battery: 100, temperature: 29 }],
  ['tps110-0292', { type: 'heartbeat', occupied: true, temperature: 12 }],
  ['nps405', { type: 'heartbeat', occupied: false, temperature: 10, hw_health_status: 0 }],
  ['tekzipark', { occupied: 1, Temperature: 25, Parking_ID: 99 }],
  ['89xxex', { bat: '76%', peak_nb: 8, temp: 25.9, peaks: [{ freq: 9, mag: 0.008 }] }],
  ['rp02', { Device: 'RP02', BreakerRS485Addr: 19, Current: 2313, Power: 264, Temperature: 22 }],
  ['r726xx', { Device: 'R726 Series', Temperature: 20, Humidity: 10, WindSpeed: 'NoSensor' }],
  ['rwmr', { batteryLevel: 2.74, pulseCounter1: 32, temperature: 24.35, type: 'status' }],
  ['wilsen-sonic', { battery_vol: 3.4, fillinglvl: 93, proxx: 49, temp: 20.8 }],
  ['wilsen-valve', { battery_vol: 3.6, sensor_details: 39169, valve_1_status: 'Open', temp: 23.5 }],
  ['df555', { level: 2000, alarmLevel: false, alarmBattery: false, temperature: 25 }],
  ['dc510', { peopleCounter: 5, alarmCounter: true, temperature: 20, volt: 4.2 }],
  ['soil-moisture-sensor', { battery: 3.2, moisture: 40, sensorType: 'moisture', temperature: 11 }],
  ['mousetrap', { battVoltage: 2.9, temperature: 12.5, trapState: 'trapped' }],
  ['ts101', { battery: 100, temperature: 26.3 }],
  ['ts201', { battery: 100, temperature: 6.3 }],
  ['em500-pt100', { battery: 92, temperature: 28.1 }],
  ['em500-smtc', { battery: 92, temperature: 14.8, humidity: 20.5 }],
  [
    'dl-cws2',
    {
      air_temperature: { unit: '°C', value: 3.2 },
      air_humidity: { unit: '%', value: 99.4 },
      surface_temperature: { unit: '°C', value: 1.1 },
    },
  ],
  ['temp-4', adeunis('0x57 Temp 4 periodic data', { temperatures: [{ name: 'temperature 1', values: [43.5, 50] }] })],
  ['tx-temp-cont1-600-032', enless(15, { temperature_1: unit('°C', 30.4) })],
  ['tx-temp-cont2-600-232', enless(12, { temperature_1: unit('°C', 30.4), temperature_2: unit('°C', 38.6) })],
  ['tx-t-h-600-034', enless(14, { temperature: unit('°C', 4.4), humidity: unit('%', 88) })],
  ['dnt-lw-wth', { set_point_temperature: '21.5' }],
  ['dnt-lw-wth', { room_temperature: 21, voltage: 2880 }],
  ['elv-bm-trx1', { Supply_Voltage: 3018, Temperature_T1: '41.5', Temperature_T2: '35.0' }],
  ['r718a', { Device: 'R718A', Volt: 3.6, Temp: 5.38, Humi: 68 }],
  ['r718ad', { Device: 'R718AD', Volt: 3.6, Temp: 25.38 }],
  ['r718b', { Device: 'R718B', Volt: 3.6, Temp: 25.3 }],
  ['r718b2', { Device: 'R718B2', Volt: 3.6, Temp1: 25.3, Temp2: 36.5 }],
  ['r718ck', { Device: 'R718CK', Volt: 3.6, Temp: 10.5 }],
  ['r718cn', { Device: 'R718CN', Volt: 3.6, Temp: 10.5 }],
  ['r718ct', { Device: 'R718CT', Volt: 3.6, Temp: 25.3 }],
  ['r718e', { Device: 'R718E', VelocityX: 0.04, VelocityY: 0.01, VelocityZ: 5.6, Temp: 30.5 }],
  ['r718ea', { Device: 'R718EA', Volt: 3.6, AngleX: 0, AngleY: -50, AngleZ: -90, Temp: 20.5 }],
  ['r718pa22', { Device: 'R718PA22', Volt: 11.9, Depth: 2497, Temp: 25, InstallStatus: 'Success' }],
  ['r718waa', { Device: 'R718WAA', Volt: 3.6, Temp: 25.38, Humi: 68, Status: 'OFF' }],
  ['r718wba', { Device: 'R718WBA', Volt: 3.6, Temp: 25.38, Humi: 68, Status: 'OFF' }],
  ['r718y', { Device: 'R718Y', Volt: 3.6, DiffPressure: 100, Temp: 25.3 }],
  ['r72616', { Device: 'R72616', Volt: 3.6, Temp: 15.38, Humi: 68, PM25: 300 }],
  ['r31510', { Device: 'R315', Volt: 2.8, BinarySensorReport: '10010', Temp: 17.8, Humi: 53 }],
  ['em300-sld', { battery: 92, temperature: 20.8, humidity: 50.5, leakage_status: 'normal' }],
  ['em300-zld', { battery: 92, temperature: 20.8, humidity: 50.5, water: 'normal' }],
  ['hygrotempo-remote', { temperature: 4.5, humidity: 37 }],
  ['t00059xx', { ambient_temperature: 17.3, relative_humidity: 82.5, input1_frequency: 1390, input2_voltage: 860 }],
  ['ems', { temperature: 22.6, humidity: 41, x: 1, y: 39, z: 5, waterleak: 17 }],
  ['tbwl100', { battery: 3.6, humidity: 40, status: 0, temperature: 22, temperatureBoard: 22, humidityChanged: 0 }],
  ['ct303', { temperature: 28.5, current_chn1: 300, current_chn1_total: 100 }],
  ['ws515', { temperature: 31.5, socket_status: 'on', voltage: 230 }],
  ['vs350', { battery: 100, temperature: 26.8, total_in: 18, total_out: 22 }],
  ['at101', { battery: 100, temperature: 12.5, position: 'normal', geofence_status: 'inside' }],
  ['ts601', { battery: 100, temperature: 4.5, humidity: 60 }],
  ['strips', { battery: 80, flood: { value: 0 }, floodAlarm: { value: false }, temperature: { value: 23.4 } }],
  ['dl-ds18', { temperature: { displayName: 'Temperature', ...unit('°C', 21.9) }, protocol_version: 2 }],
  [
    'dl-gmm',
    { air_temperature: unit('°C', 23.4), photosynthetically_active_radiation: unit('µmol', 183), protocol_version: 2 },
  ],
  ['ventilo', { differential_pressure: 6, temperature: 23.5 }],
  ['ventilo', { samples: [], temperature: 23.5 }],
  ['r900a02', { Device: 'R900A02', Volt: 12, Temperature: '18℃', ShockTamperAlarm: 'NoAlarm' }],
  ['tempo-outdoor', { samples: [], temperature: 15.5 }],
  ['rs26x-ext-rtd-temp-sensor', { 'Battery Status': 'Good', Temperature: 20.5 }],
  ['rs1xx-temp-rh-sensor', { msgType: 'SendBackLogMessage', temperature: 19.5, humidity: 40 }],
  ['69xx', { bat: 99, data: '1.009', devtype: { Sensor: 'Pressure', Unit: 'Bar' }, temp: '28.87' }],
]

const theThings = (model: string, payload: object) => ({
  topic: 'v3/house@ttn/devices/sensor-7/up',
  message: {
    end_device_ids: { device_id: 'sensor-7', dev_eui: '0004A30B001C0530' },
    uplink_message: { version_ids: { model_id: model }, decoded_payload: payload, rx_metadata: [{ rssi: -93 }] },
  },
})

const chirpStack = (model: string, payload: object) => ({
  topic: 'application/1/device/0004a30b001c0530/event/up',
  message: {
    deviceInfo: { deviceProfileName: model, deviceName: 'sensor 7' },
    object: payload,
    rxInfo: [{ rssi: -93 }],
  },
})

describe.each([
  ['The Things Stack', theThings],
  ['ChirpStack', chirpStack],
])('a payload through %s', (_, sent) => {
  const read = (model: string, payload: object) => {
    const { topic, message } = sent(model, payload)
    return new Reader(null).read(topic, Buffer.from(JSON.stringify(message)))
  }

  test.each(ROOMS)('of %s measures a room', (model, payload, room) => {
    expect(read(model, payload)).toEqual({ readings: [expect.objectContaining(room)] })
  })

  test.each(NO_ROOMS)('of %s measures no room', (model, payload) => {
    expect(read(model, payload)).toEqual({ ignored: expect.any(String) })
  })

  test.each([
    ['tbhh100', { battery: 3.6, humidity: 34, status: 1, temperature: 21 }],
    ['txh', { battery: 2.978, humidity: 44, temperature: 21 }],
    ['a node in millivolts', { battery: 3312, humidity: 44, temperature: 21 }],
  ])('of %s takes no voltage for a battery level', (model, payload) => {
    expect(read(model, payload)).toEqual({ readings: [expect.not.objectContaining({ battery: expect.anything() })] })
  })
})
