import { matches, UP } from '@hypocaust/domain'
import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { profiles } from '../../gateway/src/profiles/load.ts'
import { Reader } from '../../gateway/src/read/index.ts'
import type { Chance } from './chance.ts'
import { timed, type Verdict } from './verdict.ts'

/** Messages of each family, before they are spoiled. */
const RECORDED: [string, object | string][] = [
  ...[...profiles().values()].flatMap(({ examples }) =>
    examples.map(({ topic, payload }): [string, object | string] => [topic, payload as object | string]),
  ),
  ['home/OMG_B1/BTtoMQTT/A4C138D5D498', { id: 'A4:C1:38:D5:D4:98', rssi: -71, tempc: 21.4, hum: 47, batt: 81 }],
  ['shelly/events/ble', { srcBle: { mac: 'aa:bb:cc:dd:ee:ff', rssi: -63 }, payload: '44004e01642e3f45df00' }],
  ['shellyplus1/status/switch:0', { id: 0, output: true, apower: 12.5, temperature: { tC: 40.1 } }],
  [
    'zigbee2mqtt/bridge/devices',
    [{ ieee_address: '0x00158d0001a2b3c4', friendly_name: 'bath', definition: { exposes: [] } }],
  ],
  ['zigbee2mqtt/bath', { battery: 87, temperature: 22.41, humidity: 48.2, last_seen: 1.8e12 }],
  ['tele/manifold/SENSOR', { Time: '2026', DS18B20: { Id: '0316B5A2AAFF', Temperature: 27.5 }, TempUnit: 'C' }],
  ['stat/manifold/RESULT', { POWER1: 'ON' }],
  ['tele/manifold/LWT', 'Online'],
  ['hall/sensor/temperature/state', '21.50'],
]
const CHECK_EVERY = 200

/** Messages of devices into the real agent: it goes on, and what it sends up is of the agreed form. */
export async function fuzzDevices(cases: number, chance: Chance, verdict: Verdict): Promise<void> {
  const place = new Simulation(house(2))
  const reader = new Reader(null)
  place.connect()
  place.configure({ 1: 0.5, 2: 0.5 })
  try {
    for (let i = 0; i < cases; i++) {
      const [topic, bytes] = messageOf(chance)
      const what = () => `device message ${topic} ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`
      await timed(verdict, what, () => {
        try {
          place.agent.deviceMessage(topic, bytes, chance.one(0.1))
          explained(reader.read(topic, bytes), verdict, what)
        } catch (error) {
          verdict.fault('crash', `${(error as Error).stack} for ${what()}`)
        }
      })
      if (i % CHECK_EVERY === 0) checked(place, verdict)
    }
    checked(place, verdict)
  } finally {
    place.end()
  }
  verdict.count('device messages', cases)
}

/** What `gateway read` prints for any message: readings within what a room can have, a relay, or a reason. */
function explained(reading: ReturnType<Reader['read']>, verdict: Verdict, what: () => string): void {
  const parts = 'readings' in reading ? reading.readings : []
  const isBad = (value: number | undefined, least: number, most: number) =>
    value !== undefined && !(value >= least && value <= most)
  const bad = parts.find(
    ({ temperature, humidity, battery, rssi }) =>
      isBad(temperature, -40, 85) || isBad(humidity, 0, 100) || isBad(battery, 0, 100) || isBad(rssi, -150, 0),
  )
  const isEmpty = parts.length === 0 && !('relay' in reading) && !('ignored' in reading && reading.ignored !== '')
  if (bad || isEmpty) verdict.fault('error shape', `gateway read says ${JSON.stringify(reading)} for ${what()}`)
}

function messageOf(chance: Chance): [string, Buffer] {
  const [topic, said] = chance.pick(RECORDED)
  const where = chance.one(0.1) ? chance.text() : topic
  if (chance.one(0.1)) return [where, chance.bytes(100)]
  if (typeof said === 'string' || Array.isArray(said)) return [where, chance.spoiled(Buffer.from(textOf(said)))]
  const names = Object.keys(said)
  const spoiled = {
    ...said,
    [chance.pick(names)]: chance.value(),
    ...(chance.one(0.1) && { [chance.text()]: chance.value() }),
  }
  const bytes = Buffer.from(JSON.stringify(spoiled))
  return [where, chance.one(0.2) ? chance.spoiled(bytes) : bytes]
}

const textOf = (said: object | string) => (typeof said === 'string' ? said : JSON.stringify(said))

function checked(place: Simulation, verdict: Verdict): void {
  place.pass(30, undefined, 5)
  for (const message of place.readings()) {
    if (!matches(UP.readings, message))
      verdict.fault('error shape', `the agent sends ${JSON.stringify(message).slice(0, 400)}`)
    place.order('commit', { boot: message.boot, n: message.n })
  }
  place.devices.sent.length = 0
}
