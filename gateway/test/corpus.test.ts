import { describe, expect, test } from 'vitest'
import { Adapters } from '../src/adapters/index.ts'
import { sourcesOfAllProfiles } from '../src/config/sensors.ts'
import { Reader } from '../src/read/index.ts'

/** Messages that real devices send, from the public documentation and test data of their makers and bridges. */
type Message = [device: string, topic: string, payload: unknown]

const rtl433 = (message: Record<string, unknown>): Message => [String(message.model), 'rtl_433/pi/events', message]

const bluetooth = (message: Record<string, unknown>): Message => [
  `${message.brand} ${message.model_id}`,
  'home/OMG/BTtoMQTT/A4C1380102A3',
  { id: 'A4:C1:38:01:02:A3', rssi: -60, ...message },
]

const ebusd = (circuit: string, name: string): Message => [
  `${circuit} ${name} through ebusd`,
  `ebusd/${circuit}/${name}`,
  { '0': { name: 'temp1', value: 15 } },
]

const homematic = (deviceType: string): Message => [
  `${deviceType} through hm2mqtt`,
  `hm/status/${deviceType}:1/ACTUAL_TEMPERATURE`,
  { val: 21.4, ts: 1768032903000, hm: { deviceType, channelIndex: 1, datapointUnit: '°C' } },
]

const ROOMS: [...Message, temperature: number, humidity?: number][] = [
  [...rtl433({ model: 'AmbientWeather-WH31E', id: 160, channel: 7, temperature_C: 22.4, humidity: 68 }), 22.4, 68],
  [...rtl433({ model: 'Ambientweather-F007TH', id: 134, channel: 3, temperature_F: 69.8, humidity: 59 }), 21, 59],
  [...rtl433({ model: 'AmbientWeather-TX8300', id: 0, channel: 1, temperature_C: 18.2, humidity: 51 }), 18.2, 51],
  [...rtl433({ model: 'LaCrosse-WS700020', id: 71, channel: 7, temperature_C: 22.3, humidity: 37 }), 22.3, 37],
  [...ebusd('700', 'VR92Addr1RoomTemp'), 15],
  ...['HmIP-WTH-2', 'HmIP-STH', 'HmIP-eTRV-2', 'HM-TC-IT-WM-W-EU', 'HM-WDS40-TH-I-2'].map(
    (type): [...Message, number] => [...homematic(type), 21.4],
  ),
  [...bluetooth({ brand: 'Shelly', model_id: 'SBHT-003C', type: 'THB', tempc: 21.5, hum: 44 }), 21.5, 44],
]

test.each(ROOMS)('%s measures a room', (_, topic, payload, temperature, humidity) => {
  const read = new Reader(null).read(topic, Buffer.from(JSON.stringify(payload)))
  expect(read).toEqual({ readings: [expect.objectContaining({ temperature, ...(humidity && { humidity }) })] })
})

const NO_ROOMS: Message[] = [
  ebusd('700', 'Hc1HolidayRoomTemp'),
  ebusd('700', 'HolidayRoomTemp'),
  ebusd('hc', 'DesiredRoomTemp'),
  ...['HmIP-STHO', 'HmIP-SWO-PR', 'HmIP-STE2-PCB', 'HM-WDS10-TH-O', 'HM-WDS30-OT2-SM', 'HM-WDS100-C6-O-2'].map(
    homematic,
  ),
  rtl433({ model: 'TS-FT002', id: 182, depth_cm: 100, temperature_C: 21.4, transmit_s: 180 }),
  rtl433({ model: 'LaCrosse-WS3600', id: 185, temperature_C: 16.5 }),
  rtl433({ model: 'LaCrosse-WS2310', id: 37, temperature_C: 22.9 }),
  rtl433({ model: 'Cotech-367900', id: 43904, temperature_C: 23.2, rain_raw: 163 }),
  rtl433({ model: 'Homelead-HG9901', id: 3, battery_pct: 80, temperature_C: 19, moisture: 22, light_lux: 40 }),
  ['Homelead-HG9901 by its own topic', 'rtl_433/pi/devices/Homelead-HG9901/3/temperature_C', 19],
  rtl433({ model: 'RF-T0912', id: 9, temperature_F: 71, overload: 0 }),
  rtl433({ model: 'Gasmate-BA1008', id: 4, channel: 1, temperature_C: 22 }),
  rtl433({ model: 'Nexus-Sauna', id: 12, temperature_C: 31 }),
  rtl433({ model: 'Rosstech-Spa', id: 5, temperature_C: 37 }),
  rtl433({ model: 'Rubicson-48942', id: 6, channel: 1, temperature_C: 24 }),
  rtl433({ model: 'Florabest-FBTH1', id: 18697, temperature_F: 70 }),
  rtl433({ model: 'Govee-H5310', id: '9cb271b0', event: 'Status', battery_ok: 1, temperature_C: 26.3 }),
  rtl433({ model: 'Govee-H5112', id: '9cb20406', temperature_C: 23.6, temperature_2_C: 4.6, humidity: 44.9 }),
  rtl433({ model: 'Baldr-HCS528ARF', id: 4, channel: 1, temperature_F: 71 }),
  rtl433({ model: 'Oregon-WMR500', id: 5509, temperature_C: 7, humidity: 60 }),
  rtl433({ model: 'Omni-Multisensor', id: 9, channel: 0, temperature_C: 27.3, voltage_V: 4.19 }),
  rtl433({ model: 'Jansite-Solar', id: 'a1b2c3', flags: 3, pressure_kPa: 221, temperature_C: 21 }),
  ['Shelly Flood', 'shellies/shellyflood-1A2B3C/sensor/temperature', 18.5],
  [
    'Shelly Flood',
    'shellies/shellyflood-1A2B3C/info',
    { flood: false, tmp: { tC: 18.5, is_valid: true }, bat: { value: 90 } },
  ],
  ['leak sensor by BTHome', 'bthome/AABBCCDDEEFF', { data: '40016402ca092000' }],
  ['plant sensor by BTHome', 'bthome/AABBCCDDEEFF', { data: '40016402ca0903bf132f23' }],
  bluetooth({ brand: 'Xiaomi/VegTrug', model_id: 'HHCCJCY01HHCC', type: 'PLANT', tempc: 21.4 }),
  bluetooth({ brand: 'rbaron', model_id: 'BPv1.0-1.2', type: 'PLANT', tempc: 25.6, hum: 90, moi: 50 }),
  bluetooth({ brand: 'Sensor Easy', model_id: 'SE_TPROBE', type: 'THB', tempc: 21.4 }),
]

test.each(NO_ROOMS)('%s measures no room', (_, topic, payload) => {
  expect(new Reader(null).read(topic, Buffer.from(JSON.stringify(payload)))).toEqual({ ignored: expect.any(String) })
})

test.each([0, 0.1, 1, 146.1, -3])('a humidity of %s is none', (humidity) => {
  const [, topic, payload] = rtl433({ model: 'Esperanza-EWS', id: 97, channel: 1, temperature_F: 61.8, humidity })
  const read = new Reader(null).read(topic, Buffer.from(JSON.stringify(payload)))
  expect(read).toEqual({ readings: [expect.not.objectContaining({ humidity: expect.anything() })] })
})

test('the temperature of a Z-Wave node that detects water is not that of a room', () => {
  const reader = new Reader(null)
  const read = (topic: string, value: number) => reader.read(topic, Buffer.from(JSON.stringify({ value })))
  expect(read('zwave/cellar/113/0/Water_Alarm/Sensor_status', 0)).toEqual({ ignored: expect.any(String) })
  expect(read('zwave/cellar/49/2/Air_temperature', 17.5)).toEqual({ ignored: expect.any(String) })
  expect(read('zwave/bath/49/0/Air_temperature', 21.5)).toMatchObject({ readings: [{ temperature: 21.5 }] })
})

describe('a device of zigbee2mqtt', () => {
  const numeric = (property: string) => ({ type: 'numeric', name: property, property, access: 1 })
  const ADDRESS = '0x00158d0001020304'

  function readingOf(description: string, said: Record<string, unknown>) {
    const adapters = new Adapters(sourcesOfAllProfiles(), { counters: null, beforeTheList: 'wait', replyTo: null })
    const definition = { model: '', vendor: '', description, exposes: Object.keys(said).map(numeric) }
    const hear = (topic: string, value: object) =>
      adapters.read({ topic, payload: Buffer.from(JSON.stringify(value)), retained: false, nowMs: Date.now() })
    hear('zigbee2mqtt/bridge/devices', [{ ieee_address: ADDRESS, friendly_name: 'thing', definition }])
    return hear('zigbee2mqtt/thing', said).readings.map(({ temperature }) => temperature)
  }

  test.each<[description: string, said: Record<string, unknown>]>([
    ['Twinguard', { temperature: 21.5, humidity: 44, eco2: 500, aqi: 30, battery: 90, smoke: false }],
    ['Air quality sensor', { temperature: 21.5, humidity: 44, voc: 1, eco2: 500, battery: 90 }],
    ['AirCube air quality monitor', { temperature: 21.5, humidity: 44, eco2: 500, voc: 90, aqi: 2, co2: 500 }],
    ['Halo+ smart smoke & CO detector with weather radio', { temperature: 21.5, smoke: false, battery_low: false }],
    ['Thermostat', { local_temperature: 21.5, current_heating_setpoint: 21, sensor: 'Inner (IN)' }],
    ['Thermostat', { local_temperature: 21.5, local_temperature_floor: 27.5, sensor: 'All (AL)' }],
    ['Zigbee smart floor heating thermostat', { room_temperature: 21.5, local_temperature: 27.5, sensor: 'floor' }],
    ['Radiator thermostat', { local_temperature: 21.5, temperature_sensor_select: 'external' }],
  ])('measures a room as %s', (description, said) => {
    expect(readingOf(description, said)).toEqual([21.5])
  })

  test.each<[description: string, said: Record<string, unknown>]>([
    ['Smart vent', { temperature: 38.5, state: 'ON', position: 80, battery: 90, pressure: 99 }],
    ['Lixee ZiPulses', { temperature: 12.5, battery: 90, multiplier: 1, divisor: 1000, energy: 2 }],
    ['Spruce temperature and moisture sensor', { temperature: 12.5, humidity: 40, battery: 90 }],
    ['TDS Monitor', { temperature: 12.5, tds: 200 }],
    ['Chlorine meter', { temperature: 24, ec_max: 2, orp_min: 1, battery: 90 }],
    ['Flood alarm device', { temperature: 17.5, water_leak: false, battery_low: false, battery: 90 }],
    ['Water leakage alarm', { temperature: 17.5, water_leak_alarm_1: false, water_leak_alarm_2: false, battery: 90 }],
    ['WallyHome multi-sensor', { temperature: 17.5, humidity: 60, contact: true, water_leak: false, battery: 90 }],
    ['Smart Zigbee curtain motor', { temperature: 31, position: 50, battery: 90 }],
    ['Arrival sensor', { temperature: 12.5, presence: true, battery: 90 }],
    ['Temperature smart monitor with NTC sensor', { temperature: 41, battery: 90 }],
    ['Temperature sensors. External DS18b20 sensor.', { temperature: 41, battery: 90 }],
    ['Temperature sensor with a signal amplifier, support up to 8 DS18B20', { temperature_1: 41, temperature_2: 9 }],
    ['Thermostat', { local_temperature: 27.5, current_heating_setpoint: 21, sensor: 'Outer (OU)' }],
    ['Thermostat', { local_temperature: 27.5, current_heating_setpoint: 21, sensor: 'OU' }],
    ['Wall thermostat', { local_temperature: 27.5, sensor_mode: 'floor' }],
    ['Zigbee smart thermostat', { local_temperature: 27.5, sensor_choose: 'floor_temp' }],
  ])('measures no room as %s', (description, said) => {
    expect(readingOf(description, said)).toEqual([])
  })
})

describe('the current temperature of a thermostat of Home Assistant', () => {
  const read = (object: string) =>
    new Reader(null).read(`homeassistant/climate/${object}/current_temperature`, Buffer.from('21.5'))

  test.each([
    ...[
      'fussbodenheizung_bad',
      'bathroom_floor_heating',
      'underfloor_kitchen',
      'vloerverwarming_keuken',
      'radiator_buro',
    ],
    ...['bedroom_heater', 'heizkreis_bad', 'plancher_chauffant_salon', 'golvvarme_badrum', 'livingroom'],
    ...['heat_pump_living_room', 'varmepumpe_stue', 'boiler_thermostat', 'shelly_plus_1_bath', 'eco_controller_bad'],
  ])('%s is that of a room', (object) => {
    expect(read(object)).toEqual({ readings: [expect.objectContaining({ temperature: 21.5 })] })
  })

  test.each([
    ...[
      'pool_heater',
      'warmwasser',
      'hot_water',
      'ecodan_dhw',
      'hot_tub',
      'sauna',
      'water_heater',
      'climatiseur_piscine',
    ],
    ...['wine_fridge', 'greenhouse_heater', 'car', 'outdoor_heater', 'altherma_leaving_water', 'pufferspeicher'],
  ])('%s is not that of a room', (object) => {
    expect(read(object)).toEqual({ ignored: expect.any(String) })
  })
})

describe('a temperature that Home Assistant names', () => {
  const readingOf = (object: string) =>
    new Reader(null).read(`homeassistant/sensor/${object}/state`, Buffer.from('21.5'))

  test.each([
    ...['thermostat_hc1_currtemp', 'connect_src1_current_room_temperature', 'thermostat_hc1_remotetemp', 'officetemp'],
    ...[
      'wohnzimmertemperatur',
      'laundrytemp',
      'heizung_bad_temperatur',
      'temperature_sous_sol',
      'woonkamertemperatuur',
      'sovrumstemperatur',
      ...[
        'dachboden_temperatur',
        'waschkuche_temperatur',
        'heizung_wohnzimmer_temperatur',
        'rauchmelder_flur_temperatur',
      ],
      ...[
        'kaminzimmer_temperatur',
        'wintergarten_temperatur',
        'switchbot_meter_bad_temperature',
        'zimmer_ute_temperatur',
      ],
      ...[
        'camera_da_letto_temperatura',
        'serre_temperatuur',
        'temperature_sdb',
        'obyvaci_pokoj_teplota',
        'olohuone_lampotila',
      ],
      ...['loft_temperature', 'conservatory_temperature', 'scd41_temperature', 'technikraum_temperatur'],
      ...['living_room_average_temperature', 'bath_valve_temperature', 'nspanel_hall_temperature'],
      ...['boiler_room_temperature', 'aircon_inside_temperature', 'gaste_wc_temperatur', 'pokoj_temperatura'],
    ],
  ])('%s is that of a room', (object) => {
    expect(readingOf(object)).toEqual({ readings: [expect.objectContaining({ temperature: 21.5 })] })
  })

  test.each([
    ...['thermostat_hc1_selected_room_temperature', 'thermostat_hc1_seltemp', 'thermostat_hc1_roomtempdiff'],
    ...['alert_setflowtemp', 'connect_outdoortemp', 'connect_src1_dewtemperature', 'heatsource_ahs1_altrettemp'],
    ...['heatsource_ahs1_cyltoptemp', 'heatsource_ahs1_fluegastemp', 'extension_flowtempvf', 'thermostat_floordrytemp'],
    ...['vorlauftemperatur', 'rucklauftemperatur', 'aussentemperatur', 'bad_solltemperatur', 'puffertemperatur_oben'],
    ...['temperature_exterieure', 'temperature_depart', 'temperature_consigne_salon', 'temperature_sol_sdb'],
    ...['buitentemperatuur', 'aanvoertemperatuur', 'vloertemperatuur_badkamer', 'gewenste_temperatuur'],
    ...['warmepumpe_temperatur', 'fussbodenheizung_temperatur', 'heizkreis_1_temperatur', 'garten_temperatur'],
    ...['wechselrichter_temperatur', 'jardin_temperature', 'piscine_temperature', 'pompe_a_chaleur_temperature'],
    ...['tuin_temperatuur', 'warmtepomp_temperatuur', 'varmepump_temperatur', 'tradgard_temperatur'],
    ...['warmwasser_temperatur', 'warmwasserspeicher_temperatur', 'brauchwasser_temperatur', 'trinkwasser_temperatur'],
    ...[
      'heizkreisvorlauf_temperatur',
      'heizungsrucklauf_temperatur',
      'vorlauffuhler_temperatur',
      'r__cklauf_temperatur',
    ],
    ...['bodenfuhler_temperatur', 'estrichfuehler_temperatur', 'rohrfuhler_temperatur', 'speicher_unten_temperatur'],
    ...[
      'netatmo_aussenmodul_temperatur',
      'aussenfuhler_temperatur',
      'gartenthermometer_temperatur',
      'Außenfühler Temperatur',
    ],
    ...['au__enf__hler_temperatur', 'wetterstation_temperatur', 'hochbeet_temperatur', 'pflanzensensor_temperatur'],
    ...['zuluft_temperatur', 'fortluft_temperatur', 'abgas_temperatur', 'kachelofen_temperatur', 'heizstab_temperatur'],
    ...['tiefkuhler_temperatur', 'gefriertruhe_temperatur', 'waschmaschine_temperatur', 'backofen_temperatur'],
    ...['poolpumpe_temperatur', 'batteriespeicher_temperatur', 'wallbox_temperatur', 'steckdose_bad_temperatur'],
    ...['shellyplus1pm_abc_temperature', 'shelly_em3_temperature', 'monstera_plant_temperature'],
    ...['mischerkreis_temperature', 'mixing_valve_temperature', 'immersion_temperature', 'wine_cooler_temperature'],
    ...[
      'vivarium_temperature',
      'compost_temperature',
      'chimney_temperature',
      'fireplace_temperature',
      'rack_temperature',
    ],
    ...['duct_temperature', 'intake_air_temperature', 'coffee_machine_temperature', 'briefkasten_temperatur'],
    ...['window_surface_temperature', 'mlx90614_object_temperature', 'infrared_temperature', 'pv_temperature'],
    ...['patio_temperature', 'driveway_temperature', 'sea_temperature', 'river_temperature', 'knmi_temperature'],
    ...['temperature_derivative', 'living_room_temperature_change', 'tado_overlay_temperature'],
    ...['fridge_inside_temperature', 'car_inside_temperature', 'greenhouse_indoor_temperature'],
    ...['temperature_congel', 'temperature_poele', 'temperature_fumees', 'temperatura_esterna', 'temperatura_acqua'],
    ...['caldaia_temperatura', 'temperatura_mandata', 'temperatura_ritorno', 'frigorifero_temperatura'],
    ...['temperatura_agua', 'nevera_temperatura', 'temperatura_caldera', 'temperatura_impulsion'],
    ...[
      'buitensensor_temperatuur',
      'boilervat_temperatuur',
      'ute_temperatur',
      'utesensor_temperatur',
      'frys_temperatur',
    ],
    ...['gulv_bad_temperatur', 'varmtvann_temperatur', 'fremlob_temperatur', 'ulkolampotila', 'lattia_lampotila'],
    ...[
      'temperatura_zewnetrzna',
      'temperatura_wody',
      'temperatura_zasilania',
      'temperatura_powrotu',
      'venkovni_teplota',
    ],
    ...['kitchen_leak_sensor_temperature', 'bath_water_leak_temperature', 'wassermelder_keller_temperatur'],
    ...['flood_sensor_temperature', 'detecteur_fuite_temperature', 'lekkage_sensor_temperatuur'],
    ...['utetemperatur', 'framledningstemperatur', 'golvtemperatur_badrum', 'borvarde_vardagsrum_temperatur'],
  ])('%s is not that of a room', (object) => {
    expect(readingOf(object)).toEqual({ ignored: expect.any(String) })
  })
})
