import { isObject, type JsonObject, parseObject } from '../base/json.ts'
import { derivedId, pairsOf } from '../base/sensor-id.ts'
import { topicPattern } from '../profiles/topic.ts'
import {
  type Adapter,
  celsiusOf,
  ignored,
  isUnsureCelsius,
  judge,
  together,
  type Understood,
  understood,
  unsureCelsius,
} from './adapter.ts'
import { unitIn } from './rule.ts'

/** A wired sensor that the file gives an id by its device and the name in the message. */
interface TasmotaSensor {
  id: string
  device: string
  name: string
}

export interface TasmotaSettings {
  /** Tasmota's own setting of that name: `%prefix%/%topic%/`. */
  fullTopics: readonly string[]
  named: readonly TasmotaSensor[]
}

export const TASMOTA_FULL_TOPICS = ['%prefix%/%topic%/', '%topic%/%prefix%/']

/** Parts of a message that measure the board they are on, or what a pipe, a cable or an engine does. */
const NOT_A_ROOM =
  /^(?:ESP\d*|ANALOG\d*|A\d|ENERGY|BL09\w*|ADE\w*|AXP\w*|CSE\w*|HLW\w*|PZEM\w*|MPU\w*|MPU_\w*|DS3231|PCF8563|RTC|BM8563|INA\w*|OPENTHERM|OT|HX711|MAX31855|MAX6675|MLX90614|MLX90640|EZO\w*|VL53\w*|LSM\w*|QMC5883L?|HMC5883L?|BMI160|EBUS|NEOPOOL|MS5837|CHIRP\d*|SeeSoil|MAX31865|ME007|AMSx915|AlectoV2|SM\d+|Wifi|MODBUS|VINDRIKTNING|P9813|MI32|DALI|TELEINFO|SML|WE5\w*|BATTERY|SOLAX\w*|HYTEMP)$/i

/**
 * Tasmota: each part of a telemetry message is a sensor. Bluetooth and 1-Wire sensors are known by their address, wired
 * ones by the device and their name, Zigbee ones by the name that Tasmota gave them.
 */
export function tasmota({ fullTopics, named }: TasmotaSettings): Adapter {
  const places = fullTopics.flatMap((fullTopic) => topicsOf(fullTopic).map(topicPattern))
  return {
    subscriptions: places.map(({ subscription }) => subscription),
    understand({ topic, payload }) {
      const device = places.map((place) => place.match(topic)?.device).find((found) => found !== undefined) ?? ''
      const message = parseObject(payload)
      if (!message) return ignored('not a JSON object')
      const said = isObject(message.StatusSNS) ? message.StatusSNS : message
      const unit = unitIn(said.TempUnit)
      const parts = partsOf(said).map(({ name, part }) => {
        const given = named.find((sensor) => sensor.device === device && sensor.name === name)
        return meaning(part, { device, name, unit, givenId: given?.id })
      })
      return together(parts)
    },
  }
}

function topicsOf(fullTopic: string): string[] {
  const place = (prefix: string, command: string) =>
    `${fullTopic.replace(/\/$/, '').replace('%prefix%', prefix).replace('%topic%', '{device}')}/${command}`
  return [
    place('tele', 'SENSOR'),
    place('stat', 'STATUS10'),
    place('stat', 'STATUS8'),
    place('tele', '{zigbee}/SENSOR'),
  ]
}

/** Parts that list sensors, by the name that stands before each; the second of a pair is what old versions wrote. */
const LISTS: Readonly<Record<string, string>> = { ZbReceived: 'Zigbee', ZigbeeReceived: 'Zigbee', DS18x20: 'DS18x20' }

/** The objects of the message, listed sensors one by one, and the message itself for sensors at top level. */
function partsOf(said: JsonObject): { name: string; part: JsonObject }[] {
  const objects = Object.entries(said).flatMap(([name, part]) => {
    if (!isObject(part)) return []
    const list = LISTS[name]
    if (list === undefined) return [{ name, part }]
    return Object.entries(part).flatMap(([key, one]) =>
      isObject(one) ? [{ name: `${list}/${String(one.Name ?? key)}`, part: one }] : [],
    )
  })
  return 'Temperature' in said ? [{ name: '', part: said }, ...objects] : objects
}

interface Place {
  device: string
  name: string
  /** Undefined when the message does not name it. */
  unit: 'C' | 'F' | undefined
  givenId: string | undefined
}

function meaning(part: JsonObject, { device, name, unit, givenId }: Place): Understood {
  if (part.Temperature === undefined) return ignored('no temperature in it')
  if (givenId === undefined && NOT_A_ROOM.test(name.split('-')[0] ?? ''))
    return ignored(`${name} measures a chip or a device, not a room`)
  if (unit === undefined && isUnsureCelsius(part.Temperature)) return ignored(unsureCelsius(part.Temperature))
  const zigbee = name.startsWith('Zigbee/')
  const wired = zigbee ? pairsOf(part.IEEEAddr) : (pairsOf(part.Id) ?? pairsOf(part.Address))
  const address = pairsOf(part.mac) ?? pairsOf(part.MAC) ?? wired
  const place = name === '' ? device : `${device}/${name}`
  const judged = judge({
    id: givenId ?? address ?? derivedId(`tasmota/${place}`),
    name: givenId || address ? null : place,
    temperature: celsiusOf(part.Temperature, unit ?? 'C'),
    humidity: part.Humidity,
    batt: part.Battery ?? part.BatteryPercentage,
    rssi: part.RSSI,
  })
  return judged.ok ? understood({ readings: [judged.measured] }) : ignored(judged.why)
}
