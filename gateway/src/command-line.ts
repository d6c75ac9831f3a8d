import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadGatewayConfig, readText } from './config/load.ts'
import { discover } from './discover/index.ts'
import { startingFile } from './discover/starting-file.ts'
import { GatewayError } from './error.ts'
import { pairGateway } from './pair.ts'
import { readMessages } from './read/command.ts'
import { runGateway } from './run.ts'
import { testChannel } from './test-channel.ts'

const USAGE = `Usage: hypocaust gateway <command> [options]

  run       run the agent                 --config gateway.yaml
  test      open one loop for a minute    --config gateway.yaml --channel 3 [--seconds 60]
  discover  list what speaks on a broker  --mqtt mqtt://127.0.0.1:1883 [--username U --password P]
            and write a file to start from  [--seconds 60] [--out gateway.yaml]
  read      explain messages of devices   [--config gateway.yaml] [--json] TOPIC PAYLOAD
            without TOPIC PAYLOAD: JSON lines {"topic": "…", "payload": "…"} on standard input
  pair      exchange the pairing code     --service https://heating.example --code ABCD-EFGH [--config gateway.yaml]
            the service's own authority   [--authority SHA256] or from a file [--ca authority.pem]

discover, read and pair print JSON with --json.`

const OPTIONS = {
  config: { type: 'string' },
  channel: { type: 'string' },
  seconds: { type: 'string', default: '60' },
  mqtt: { type: 'string' },
  username: { type: 'string' },
  password: { type: 'string' },
  out: { type: 'string', default: 'gateway.yaml' },
  service: { type: 'string' },
  code: { type: 'string' },
  authority: { type: 'string' },
  ca: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const

class UsageError extends Error {}

type Values = ReturnType<typeof readArguments>['values']

type Command = (values: Values, signal: AbortSignal, operands: string[]) => Promise<void>

const DEFAULT_CONFIG = 'gateway.yaml'

const say = (line: string) => console.log(line)
const sayJson = (value: unknown) => say(JSON.stringify(value, null, 2))

const COMMANDS: Record<string, Command> = {
  run: ({ config = DEFAULT_CONFIG }, signal) =>
    runGateway({
      settings: loadGatewayConfig(config),
      log: (line) => say(`${new Date().toISOString()} ${line}`),
      signal,
    }),

  test: ({ config = DEFAULT_CONFIG, channel, seconds }, signal) =>
    testChannel({
      settings: loadGatewayConfig(config),
      channel: numberOf(channel, '--channel'),
      seconds: numberOf(seconds, '--seconds'),
      log: say,
      signal,
    }),

  discover: async ({ mqtt, username = null, password = null, seconds, out, json }, signal) => {
    const url = given(mqtt, '--mqtt')
    if (existsSync(out)) throw new GatewayError(`${out} is there already; name another file with --out`)
    const log = json ? () => {} : say
    log(`Listening on ${url} for ${seconds} s. Switch each relay once, so that it speaks.`)
    const broker = { url, username, password, ca: null }
    const found = await discover({ broker, seconds: numberOf(seconds, '--seconds'), log, signal })
    writeFileSync(out, startingFile(found), { flag: 'wx', mode: 0o600 })
    if (json) sayJson({ ...found, file: out })
    else say(`${found.sensors.length} sensors and ${found.relays.length} relays; written to ${out}`)
  },

  read: ({ config, json }, _signal, operands) => {
    const [topic, payload, ...more] = operands
    if (more.length > 0 || (topic !== undefined && payload === undefined))
      throw new UsageError('read takes TOPIC and PAYLOAD, or nothing and JSON lines on standard input')
    const message = topic !== undefined && payload !== undefined ? { topic, payload } : undefined
    return readMessages({ config, json, message, input: process.stdin, say })
  },

  pair: async ({ service, code, authority, ca, config = DEFAULT_CONFIG, json }) => {
    const dataFolder = existsSync(config)
      ? loadGatewayConfig(config).dataFolder
      : join(dirname(resolve(config)), 'data')
    const trust = { ...(authority && { authority }), ...(ca && { ca: readText(ca, 'certificate') }) }
    const identity = { serviceUrl: given(service, '--service'), code: given(code, '--code') }
    const paired = await pairGateway({ ...identity, ...trust, dataFolder })
    if (json) sayJson(paired)
    else say(`Paired as "${paired.gateway}" of ${paired.building}. The token is in ${paired.file}.`)
  },
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
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

async function carryOut(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args)
  if (values.help) return say(USAGE)
  const [name = '', ...rest] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command || (rest.length > 0 && name !== 'read'))
    throw new UsageError(name ? `there is no command "${positionals.join(' ')}"` : 'no command')
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  await command(values, stopping.signal, rest)
}

/** Carries out a command of the agent; the exit code. What is in the way is told in one line. */
export async function runAgentCommand(args: string[]): Promise<number> {
  try {
    await carryOut(args)
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    console.error(`hypocaust: ${message}`)
    if (!(error instanceof UsageError)) return 1
    console.error(USAGE)
    return 2
  }
}
