import { parseObject } from '../base/json.ts'
import { pairsOf } from '../base/sensor-id.ts'
import { type Adapter, heard, ignored } from './adapter.ts'
import { timeOf } from './time.ts'

/** Manufacturer data of Ruuvi Innovations in data format 5, up to the humidity. */
const FORMAT_5 = /ff990405([0-9a-f]{4})([0-9a-f]{4})/i
const NO_TEMPERATURE = 0x8000
const NO_HUMIDITY = 0xffff

/** Ruuvi Gateway: `<base>/<gateway>/<tag>` with the raw advertisement in `data`, or with its values. */
export function ruuvi({ base }: { base: string }): Adapter {
  return {
    subscriptions: [`${base}/+/+`],
    understand({ topic, payload }) {
      const said = parseObject(payload)
      const values = said && (typeof said.data === 'string' ? advertised(said.data) : decoded(said))
      if (!values) return ignored('not a RuuviTag')
      const id = pairsOf(topic.split('/').at(-1))
      return heard({ id, ...values, rssi: said.rssi, measuredMs: timeOf(said.ts) })
    },
  }
}

function advertised(data: string): { temperature: unknown; humidity: unknown } | undefined {
  const found = FORMAT_5.exec(data)
  if (!found) return undefined
  const [temperature = 0, humidity = 0] = found.slice(1).map((digits) => Number.parseInt(digits, 16))
  const signed = temperature >= NO_TEMPERATURE ? temperature - 0x10000 : temperature
  return {
    temperature: temperature === NO_TEMPERATURE ? undefined : signed * 0.005,
    humidity: humidity === NO_HUMIDITY ? undefined : humidity * 0.0025,
  }
}

const decoded = ({ dataFormat, temperature, humidity }: Record<string, unknown>) =>
  dataFormat === undefined ? undefined : { temperature, humidity }
