import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runGateway } from '../agent/run.ts'
import { GatewayError } from '../base/error.ts'
import { loadGatewayConfig, readText } from '../config/load.ts'
import { discover } from '../discover/index.ts'
import { startingFile } from '../discover/starting-file.ts'
import { pairGateway } from '../pairing/pair.ts'
import { notifyServiceManager } from '../process/service-manager.ts'
import { readMessages } from '../read/command.ts'
import { parsePowers } from '../rehearse/options.ts'
import { rehearsalText } from '../rehearse/print.ts'
import { rehearse } from '../rehearse/rehearse.ts'
import { type CommandName, helpOf, isCommand } from './help.ts'
import { BY_COMMAND, pairedSettings } from './paired-settings.ts'
import { testAutoOff, testChannel } from './test-channel.ts'

const OPTIONS = {
  config: { type: 'string' },
  channel: { type: 'string' },
  seconds: { type: 'string' },
  'auto-off': { type: 'boolean', default: false },
  hours: { type: 'string', default: '24' },
  power: { type: 'string' },
  window: { type: 'string', default: '900' },
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

/** Tasmota counts shorter times in tenths of a second. */
const SHORTEST_AUTO_OFF_S = 12

class UsageError extends Error {}

type Values = ReturnType<typeof readArguments>['values']

type Command = (values: Values, signal: AbortSignal, operands: string[]) => Promise<void>

const DEFAULT_CONFIG = 'gateway.yaml'

const say = (line: string) => console.log(line)
const printJson = (value: unknown) => say(JSON.stringify(value, null, 2))

const COMMANDS: Record<CommandName, Command> = {
  run: async ({ config = DEFAULT_CONFIG }, signal) => {
    const log = (line: string) => say(`${new Date().toISOString()} ${line}`)
    const settings = loadGatewayConfig(config)
    const onReady = atFirstCall(() => notifyServiceManager(process.env, log))
    if (settings.page) {
      const { runWithPage } = await import('./run-with-page.ts')
      return runWithPage({ config, page: settings.page, settings, log, signal, onReady })
    }
    const paired = await pairedSettings({ config, settings, where: BY_COMMAND, log, signal, onWaiting: onReady })
    if (paired) await runGateway({ settings: paired, log, signal, onStarted: onReady })
  },

  test: async ({ config = DEFAULT_CONFIG, channel, seconds, json, 'auto-off': isAutoOff }, signal) => {
    const settings = loadGatewayConfig(config)
    const log = json ? () => {} : say
    if (!isAutoOff)
      return testChannel({
        settings,
        channel: numberOf(channel, '--channel'),
        seconds: numberOf(seconds ?? '60', '--seconds'),
        log,
        signal,
      })
    const results = await testAutoOff({
      settings,
      channel: channel === undefined ? null : numberOf(channel, '--channel'),
      seconds: numberOf(seconds ?? '15', '--seconds', { from: SHORTEST_AUTO_OFF_S, to: 600 }),
      log,
      signal,
    })
    if (json) printJson(results)
    if (results.some(({ auto_off }) => auto_off !== 'proven'))
      throw new GatewayError('not every relay is proven to close its loop by itself')
  },

  rehearse: async ({ config = DEFAULT_CONFIG, hours, power, window, json }) => {
    const settings = loadGatewayConfig(config)
    const channels = settings.channels.map(({ channel }) => channel)
    const rehearsal = rehearse({
      settings,
      hours: numberOf(hours, '--hours', { from: 0, to: 744 }),
      power: parsePowers(given(power, '--power'), channels),
      windowS: numberOf(window, '--window', { from: 60, to: 86_400 }),
    })
    if (json) printJson(rehearsal)
    else say(rehearsalText(rehearsal))
  },

  discover: async ({ mqtt, username = null, password = null, seconds, out, json }, signal) => {
    const url = given(mqtt, '--mqtt')
    if (existsSync(out)) throw new GatewayError(`${out} is there already; name another file with --out`)
    const log = json ? () => {} : say
    log(`Listening on ${url} for ${seconds ?? 60} s. Switch each relay once, so that it speaks.`)
    const broker = { url, username, password, ca: null }
    const found = await discover({ broker, seconds: numberOf(seconds ?? '60', '--seconds'), log, signal })
    writeFileSync(out, startingFile(found), { flag: 'wx', mode: 0o600 })
    if (json) printJson({ ...found, file: out })
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
    const { gatewayFile, ...paired } = await pairGateway({ ...identity, ...trust, dataFolder })
    const isRestored = gatewayFile !== null && !existsSync(config)
    if (isRestored) writeFileSync(config, gatewayFile, { flag: 'wx', mode: 0o600 })
    if (json) return printJson({ ...paired, restored: isRestored ? config : null })
    say(`Paired as "${paired.gateway}" of ${paired.building}. The token is in ${paired.file}.`)
    if (isRestored)
      say(`${config} was written as the box before had it. Passwords and Bluetooth keys are not in it: add them.`)
  },
}

/** An agent is ready when it waits to be paired, and not once more when it then runs. */
function atFirstCall(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
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

function numberOf(value: string | undefined, option: string, { from, to } = { from: 0, to: 3600 }): number {
  const number = Number(given(value, option))
  if (!(number > 0 && number >= from && number <= to))
    throw new UsageError(
      `${option} must be a number ${from > 0 ? `from ${from} to` : 'above 0, at most'} ${to}, not ${value}`,
    )
  return number
}

async function carryOut(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [name = '', ...rest] = positionals
  if (values.help) return say(helpOf(name))
  if (!isCommand(name) || (rest.length > 0 && name !== 'read'))
    throw new UsageError(name ? `there is no command "${positionals.join(' ')}"` : 'no command')
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  await COMMANDS[name](values, stopping.signal, rest)
}

/** Carries out a command of the agent; the exit code. An error is printed in one line. */
export async function runAgentCommand(args: string[]): Promise<number> {
  try {
    await carryOut(args)
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    console.error(`hypocaust: ${message}`)
    if (!(error instanceof UsageError)) return 1
    console.error(helpOf(args[0] ?? ''))
    return 2
  }
}
