import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayError, parseGatewayFile } from '@hypocaust/gateway'
import { parseHouseFile } from '@hypocaust/service'
import { settingsOf } from '../../gateway/src/config/load.ts'
import type { Chance } from './chance.ts'
import { timed, type Verdict } from './verdict.ts'

const HOUSE_FILE = readFileSync(join(import.meta.dirname, '../../cli/test/house.yaml'), 'utf8')
const GATEWAY_FILE = `service: { url: "mqtts://heating.example", gateway_id: 019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e, token: hypg_x }
devices:
  url: "mqtt://127.0.0.1:1883"
  username: house
sensors:
  collect_s: 2
  openmqttgateway: { base: home }
  zigbee2mqtt: { base: zigbee2mqtt }
  esphome: [{ sensor: "02:00:00:00:00:05", temperature: hall/sensor/temperature/state }]
channels:
  - { channel: 1, driver: tasmota, topic: manifold, output: 1 }
  - { channel: 2, driver: shelly, topic: shellyplus1, heat: electric }
`

/** What a file is, beside a spoiled one. */
const HOSTILE = [
  (n: number) =>
    `a: &a {x: 1}\n${Array.from({ length: n }, (_, i) => `k${i}: {<<: [${'*a, '.repeat(20)}*a]}`).join('\n')}`,
  (n: number) => `${'['.repeat(n)}`,
  (n: number) => Array.from({ length: n }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  (n: number) =>
    `a0: &a0 [x]\n${Array.from({ length: n }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}`,
  (n: number) => `name: ${'x'.repeat(n * 100)}`,
]
const SIZES = [1, 10, 30, 100, 400]

const fileOf = (chance: Chance, valid: string): string => {
  if (chance.one(0.02)) return chance.pick(HOSTILE)(chance.pick(SIZES))
  if (chance.one(0.05)) return chance.bytes(200).toString('latin1')
  return chance.spoiledText(valid)
}

export async function fuzzHouseFiles(cases: number, chance: Chance, verdict: Verdict): Promise<void> {
  for (let i = 0; i < cases; i++) {
    const text = fileOf(chance, HOUSE_FILE)
    const parsed = await timed(
      verdict,
      () => `house file ${JSON.stringify(text.slice(0, 400))}`,
      () => tried(() => parseHouseFile(text)),
    )
    if (parsed instanceof Error) verdict.fault('crash', `${parsed.stack} for the house file ${JSON.stringify(text)}`)
    else if (!parsed.ok && !parsed.problems.every(({ line, message }) => line >= 0 && message !== ''))
      verdict.fault('error shape', `${JSON.stringify(parsed.problems)} for the house file ${JSON.stringify(text)}`)
  }
  verdict.count('house files', cases)
}

export async function fuzzGatewayFiles(cases: number, chance: Chance, verdict: Verdict): Promise<void> {
  for (let i = 0; i < cases; i++) {
    const text = fileOf(chance, GATEWAY_FILE)
    const what = () => `gateway file ${JSON.stringify(text.slice(0, 400))}`
    const read = () => settingsOf(parseGatewayFile(text, 'gateway.yaml'), '/tmp')
    const result = await timed(verdict, what, () => tried(read))
    if (result instanceof Error && !(result instanceof GatewayError))
      verdict.fault('crash', `${result.stack} for the gateway file ${JSON.stringify(text)}`)
    if (result instanceof GatewayError && !/^gateway\.yaml/.test(result.message))
      verdict.fault('error shape', `${result.message} for the gateway file ${JSON.stringify(text)}`)
  }
  verdict.count('gateway files', cases)
}

function tried<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error as Error
  }
}
