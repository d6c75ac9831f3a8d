#!/usr/bin/env node
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  discover,
  GatewayError,
  loadGatewayConfig,
  pairGateway,
  runGateway,
  startingFile,
  testChannel,
} from './index.ts'

const USAGE = `Usage: gateway <command> [options]

  run       run the agent                 --config gateway.yaml
  test      open one loop for a minute    --config gateway.yaml --channel 3 [--seconds 60]
  discover  list what speaks on a broker  --mqtt mqtt://127.0.0.1:1883 [--username U --password P]
            and write a file to start from  [--seconds 60] [--out gateway.yaml]
  pair      exchange the pairing code     --service https://heating.example --code ABCD-EFGH [--config gateway.yaml]`

const OPTIONS = {
  config: { type: 'string', default: 'gateway.yaml' },
  channel: { type: 'string' },
  seconds: { type: 'string', default: '60' },
  mqtt: { type: 'string' },
  username: { type: 'string' },
  password: { type: 'string' },
  out: { type: 'string', default: 'gateway.yaml' },
  service: { type: 'string' },
  code: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

class UsageError extends Error {}

type Values = ReturnType<typeof readArguments>['values']

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
const { signal } = stopping
const say = (line: string) => console.log(line)

const COMMANDS: Record<string, (values: Values) => Promise<void>> = {
  run: ({ config }) =>
    runGateway({
      settings: loadGatewayConfig(config),
      log: (line) => say(`${new Date().toISOString()} ${line}`),
      signal,
    }),

  test: ({ config, channel, seconds }) =>
    testChannel({
      settings: loadGatewayConfig(config),
      channel: numberOf(channel, '--channel'),
      seconds: numberOf(seconds, '--seconds'),
      log: say,
      signal,
    }),

  discover: async ({ mqtt, username = null, password = null, seconds, out }) => {
    const url = given(mqtt, '--mqtt')
    if (existsSync(out)) throw new GatewayError(`${out} is there already; name another file with --out`)
    say(`Listening on ${url} for ${seconds} s. Switch each relay once, so that it speaks.`)
    const broker = { url, username, password, ca: null }
    const found = await discover({ broker, seconds: numberOf(seconds, '--seconds'), log: say, signal })
    writeFileSync(out, startingFile(found), { flag: 'wx', mode: 0o600 })
    say(`${found.sensors.length} sensors and ${found.relays.length} relays; written to ${out}`)
  },

  pair: async ({ service, code, config }) => {
    const dataFolder = existsSync(config)
      ? loadGatewayConfig(config).dataFolder
      : join(dirname(resolve(config)), 'data')
    const options = { serviceUrl: given(service, '--service'), code: given(code, '--code'), dataFolder }
    const paired = await pairGateway(options)
    say(`Paired as "${paired.gateway}" of ${paired.building}. The token is in ${paired.file}.`)
  },
}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function given(value: string | undefined, option: string): string {
  if (value === undefined) throw new UsageError(`${option} is missing`)
  return value
}

function numberOf(value: string | undefined, option: string): number {
  const number = Number(given(value, option))
  if (!(number > 0 && number <= 3600)) throw new UsageError(`${option} is a number from 1 to 3600, not ${value}`)
  return number
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments()
  if (values.help) return say(USAGE)
  const [name = '', ...rest] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command || rest.length > 0)
    throw new UsageError(name ? `there is no command "${positionals.join(' ')}"` : 'no command')
  await command(values)
}

main().catch((error: unknown) => {
  const usage = error instanceof UsageError
  const shown = usage || error instanceof GatewayError
  console.error(shown ? `gateway: ${error.message}` : error)
  if (usage) console.error(USAGE)
  process.exitCode = usage ? 2 : 1
})
