import { existsSync, readFileSync } from 'node:fs'
import { INSTALLED_AS, type InstalledAs, READS_A_MINUTE, SILENT_AFTER_S, WRITES_A_MINUTE } from '@hypocaust/domain'
import Type, { type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/schema'
import { parse } from 'yaml'
import { StartupError, UsageError } from './base/startup-error.ts'

const Port = (description: string, value: number) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: value, description })
const Count = (description: string, value: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: value, description })
const Days = (description: string, value: number) =>
  Type.Integer({ minimum: 1, maximum: 36_500, default: value, description })
const Text = (description: string, value: string) => Type.String({ minLength: 1, default: value, description })

/**
 * Every setting: its name, form, default and meaning. `rate_limit_reads` is so called in hypocaust.yaml,
 * HYPOCAUST_RATE_LIMIT_READS in the environment, and --rate-limit-reads where a command has a flag for it.
 */
export const SETTINGS = {
  data: Text('Folder for everything the service keeps.', './data'),
  database_url: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description: 'A PostgreSQL database in place of SQLite in the data folder.',
    }),
  ),
  database_connections: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Most connections of one process to PostgreSQL.',
  }),
  role: Type.Unsafe<'all' | 'api' | 'ingest' | 'operator'>({
    type: 'string',
    enum: ['all', 'api', 'ingest', 'operator'],
    default: 'all',
    description:
      'What this process does: api serves HTTP, ingest serves gateways and controls the heating, all does both; operator serves the operators’ console.',
  }),
  host: Text('Address to listen on.', '127.0.0.1'),
  port: Port('Port of the HTTP interface; 0 takes a free one.', 8080),
  mqtt_port: Port('Port of the embedded MQTT broker; 0 takes a free one.', 1883),
  mqtt_url: Type.Optional(
    Type.String({
      pattern: '^(mqtts?|wss?)://',
      description: 'An MQTT broker outside in place of the embedded one, as mqtt://user:password@host:1883.',
    }),
  ),
  mqtt_gateway_url: Type.Optional(
    Type.String({
      pattern: '^(mqtts?|wss?)://',
      description:
        'Where gateways reach the broker outside, if not as this process does: mqtts://mqtt.example.org:8883.',
    }),
  ),
  max_connections: Count(
    'Most HTTP connections at a time; never more than two fifths of the files the process may open.',
    10_000,
  ),
  max_connections_per_address: Count(
    'Most HTTP connections at a time from one address; 0 for no limit. Trusted proxies are not limited.',
    200,
  ),
  mqtt_max_connections: Count('Most gateways connected to the embedded broker at a time.', 10_000),
  mqtt_max_connections_per_address: Count(
    'Most connections to the embedded broker at a time from one address; 0 for no limit. Trusted proxies are not limited.',
    200,
  ),
  ha_discovery: Type.Boolean({
    default: false,
    description: 'Publish every room to Home Assistant, over the MQTT broker outside.',
  }),
  announce: Type.Boolean({
    default: false,
    description: 'Tell the local network where the service is, by mDNS.',
  }),
  tls_cert: Type.Optional(Type.String({ minLength: 1, description: 'Certificate (PEM) for HTTPS and MQTT over TLS.' })),
  tls_key: Type.Optional(Type.String({ minLength: 1, description: 'Private key (PEM) of the certificate.' })),
  trusted_proxies: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F.:]+(/\\d+)?( *, *[0-9a-fA-F.:]+(/\\d+)?)*$',
      description:
        'Addresses and ranges of the proxies before the service, as 127.0.0.1, 10.0.0.0/8: what they say of the caller is believed.',
    }),
  ),
  log_level: Type.Unsafe<'debug' | 'info' | 'warn' | 'error' | 'silent'>({
    type: 'string',
    enum: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    description: 'How much is logged to standard error.',
  }),
  notices_file: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File in which a program beside the service reports failed parts; the website shows them.',
    }),
  ),
  release_feed: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'Address that describes the latest release, as GitHub’s …/releases/latest; asked at most once a day. Nobody is asked unless given.',
    }),
  ),
  installed_as: Type.Optional(
    Type.Unsafe<InstalledAs>({
      type: 'string',
      enum: [...INSTALLED_AS],
      description: 'How this installation was made; the packages set it. The website says by it how to update.',
    }),
  ),
  watchdog_s: Count('Seconds after which a process whose event loop stands still ends itself; 0 for never.', 30),
  rate_limit_reads: Count('Reads a minute per API key; 0 for no limit.', READS_A_MINUTE),
  rate_limit_writes: Count('Writes a minute per API key; 0 for no limit.', WRITES_A_MINUTE),
  metrics_token: Type.Optional(
    Type.String({
      minLength: 16,
      description: 'What /metrics asks for, as Authorization: Bearer TOKEN; open to everybody unless given.',
    }),
  ),
  auth_secret: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'Signs the website’s sessions; the same for all processes of one database. Made in the data folder unless given.',
    }),
  ),
  open_sign_up: Type.Boolean({
    default: false,
    description: 'Whether anyone may create an account on the website; the first account can always be created there.',
  }),
  oauth_registration: Type.Boolean({
    default: false,
    description: 'Whether apps of third parties may register themselves; else the operator does: hypocaust app add.',
  }),
  monthly_cost: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'What the installation costs a month; the operators’ console shares it out among the accounts.',
    }),
  ),
  webhook_private_addresses: Type.Boolean({
    default: false,
    description: 'Whether webhooks may be sent to loopback and private addresses, and by plain HTTP.',
  }),
  calendar_private_addresses: Type.Boolean({
    default: false,
    description: 'Whether calendars may be fetched from loopback and private addresses, and by plain HTTP.',
  }),
  public_url: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+/?$',
      description:
        'Address under which people reach the website, as https://heating.example.org; links in mails lead there.',
    }),
  ),
  smtp_url: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      description: 'Mail server for alerts and forgotten passwords, as smtp://user:password@host:587 or smtps://host.',
    }),
  ),
  mail_from: Type.Optional(
    Type.String({ pattern: '^[^\\s@<>"]+@[^\\s@<>"]+$', description: 'Address from which mail is sent.' }),
  ),
  max_sensors_per_building: Count('Most sensors of one building; readings of further ones are dropped.', 500),
  max_rooms_per_building: Count('Most rooms of one building.', 200),
  max_gateways_per_building: Count('Most gateways of one building.', 20),
  max_buildings_per_account: Count('Most buildings of one account.', 1000),
  max_keys_per_account: Count('Most API keys of one account that are neither revoked nor expired.', 100),
  ended_key_days: Days('Days for which a revoked or expired API key stays listed.', 365),
  change_log_days: Days('Days for which the change log of a building is kept.', 365),
  silent_after_s: Count('Seconds without a heartbeat after which a building is unavailable.', SILENT_AFTER_S),
  weather: Type.Unsafe<'none' | 'open-meteo' | 'met-norway' | 'file'>({
    type: 'string',
    enum: ['none', 'open-meteo', 'met-norway', 'file'],
    default: 'none',
    description: 'Weather source. It receives the buildings’ locations, rounded to a tenth of a degree.',
  }),
  weather_url: Type.Optional(Type.String({ minLength: 1, description: 'Another base address of the weather source.' })),
  weather_contact: Type.Optional(
    Type.String({ minLength: 1, description: 'Contact address sent to the weather source.' }),
  ),
  weather_file: Type.Optional(
    Type.String({ minLength: 1, description: 'File with the weather, for the source file.' }),
  ),
  prices: Type.Unsafe<'none' | 'awattar' | 'entsoe' | 'nord-pool' | 'octopus' | 'file'>({
    type: 'string',
    enum: ['none', 'awattar', 'entsoe', 'nord-pool', 'octopus', 'file'],
    default: 'none',
    description: 'Source of day-ahead prices. It receives the areas that tariffs name, and nothing of a building.',
  }),
  prices_url: Type.Optional(
    Type.String({ pattern: '^https?://', description: 'Another base address of the price source.' }),
  ),
  prices_token: Type.Optional(Type.String({ minLength: 1, description: 'Security token for ENTSO-E.' })),
  prices_file: Type.Optional(Type.String({ minLength: 1, description: 'File with prices, for the source file.' })),
  history_raw_days: Days('Days for which every reading is kept.', 14),
  history_five_minute_days: Days('Days for which five-minute means are kept.', 92),
  history_decision_days: Days('Days for which the reasons of the heating control are kept.', 365),
  history_hourly_days: Count('Days for which hourly means are kept; 0 for ever.', 0),
} satisfies Record<string, TSchema>

const SettingsSchema = Type.Object(SETTINGS)
export type Settings = Static<typeof SettingsSchema>
export type SettingName = keyof typeof SETTINGS

type Origin = { value: unknown; where: string }

/** Whether a flag, the environment or the file says anything of this setting. */
export function isGiven(name: SettingName, flags: Partial<Record<string, unknown>>, env: NodeJS.ProcessEnv): boolean {
  const file = fileOf(env)
  return originOf(name, flags, env, readFile(file, env.HYPOCAUST_CONFIG !== undefined), file) !== undefined
}

const fileOf = (env: NodeJS.ProcessEnv): string => env.HYPOCAUST_CONFIG ?? 'hypocaust.yaml'

/** Flags beat environment beats file. A value that does not fit names where it came from. */
export function readSettings(
  flags: Partial<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  file = fileOf(env),
): Settings {
  const fromFile = readFile(file, env.HYPOCAUST_CONFIG !== undefined)
  const settings: Record<string, unknown> = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const origin = originOf(name, flags, env, fromFile, file)
    const schema: TSchema & { default?: unknown } = SETTINGS[name]
    const value = origin ? converted(schema, origin) : schema.default
    if (origin && !Check(schema, value)) {
      const Problem = flags[name] === undefined ? StartupError : UsageError
      throw new Problem(`${origin.where}: ${shown(name, origin.value)} is not valid. ${formOf(schema)}`)
    }
    if (value !== undefined) settings[name] = value
  }
  return settings as Settings
}

/** Secrets and addresses with passwords in them are not for a terminal or a log. */
const SECRET: SettingName[] = [
  'prices_token',
  'auth_secret',
  'metrics_token',
  'database_url',
  'mqtt_url',
  'mqtt_gateway_url',
  'smtp_url',
]

/** For a report that is passed on: what is set, and the values that give nothing away. */
export const withoutSecrets = (settings: Settings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      SECRET.includes(name as SettingName) ? 'set, not shown' : value,
    ]),
  )

const shown = (name: SettingName, value: unknown): string =>
  SECRET.includes(name) ? 'the value (not shown, it may hold a secret)' : JSON.stringify(value)

function originOf(
  name: SettingName,
  flags: Partial<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  fromFile: Record<string, unknown>,
  file: string,
): Origin | undefined {
  const variable = `HYPOCAUST_${name.toUpperCase()}`
  if (flags[name] !== undefined) return { value: flags[name], where: `--${name.replaceAll('_', '-')}` }
  if (env[variable] !== undefined && env[variable] !== '') return { value: env[variable], where: variable }
  if (fromFile[name] !== undefined) return { value: fromFile[name], where: `${file}: ${name}` }
  return undefined
}

/** How a yes or no may be written in a flag, a variable or the file. */
const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
])

/** Flags and variables are text; a number or a yes-or-no among them is read as one, strictly. */
function converted(schema: TSchema & { type?: string }, { value }: Origin): unknown {
  if (schema.type === 'boolean') return BOOLEANS.get(value) ?? value
  const isNumeral = schema.type === 'integer' && typeof value === 'string' && /^\d+$/.test(value)
  return isNumeral ? Number(value) : value
}

function formOf(
  schema: TSchema & { type?: string; enum?: string[]; minimum?: number; maximum?: number; pattern?: string },
): string {
  if (schema.pattern) return `It must match ${schema.pattern}.`
  if (schema.type === 'boolean') return 'It must be true or false.'
  if (schema.enum) return `It must be one of: ${schema.enum.join(', ')}.`
  if (schema.minimum !== undefined) return `It must be a whole number from ${schema.minimum} to ${schema.maximum}.`
  return 'It must be a text.'
}

function readFile(file: string, isNamed: boolean): Record<string, unknown> {
  if (!isNamed && !existsSync(file)) return {}
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8')) ?? {}
  } catch (error) {
    throw new StartupError(`cannot read the configuration file ${file}: ${(error as Error).message.split('\n', 1)[0]}`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new StartupError(`${file}: expected settings as "name: value" lines`)
  }
  const unknown = Object.keys(content).find((name) => !(name in SETTINGS))
  if (unknown) throw new StartupError(`${file}: there is no setting "${unknown}"`)
  return content as Record<string, unknown>
}
