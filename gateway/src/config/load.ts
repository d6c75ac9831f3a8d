import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { MAX_FLOOR_C } from '@hypocaust/domain'
import { readYaml } from '@hypocaust/domain/yaml'
import Value from 'typebox/value'
import { GatewayError } from '../base/error.ts'
import { isObject } from '../base/json.ts'
import { sensorIdOf } from '../base/sensor-id.ts'
import { faultsOf } from './check.ts'
import { copyOf } from './copy.ts'
import { coversOf } from './covers.ts'
import { readCredentials } from './credentials.ts'
import type { Fault } from './fault.ts'
import { busyContactsOf, hotWaterOf } from './hot-water.ts'
import { likeliest } from './likeliest.ts'
import { metersOf } from './meters.ts'
import { polledOf } from './polled.ts'
import { relayOf } from './relay.ts'
import { type FileChannel, GatewayFile } from './schema.ts'
import { sensorNamesOf, sourcesOf } from './sensors.ts'
import type { BrokerSettings, ChannelSettings, GatewaySettings, PageSettings, ServiceSettings } from './settings.ts'
import { actuatorOf, contactsOf, coolingOf, flowTemperatureOf, gridOf, sgReadyOutputOf, sourceOf } from './source.ts'
import { suppliesOf } from './supply.ts'

const MB = 1_000_000
/** Seen from this machine alone. */
const LOOPBACK_PAGE = '127.0.0.1:8088'

export function loadGatewayConfig(file: string): GatewaySettings {
  const text = readText(file, 'configuration')
  return { ...settingsOf(parseGatewayFile(text, file), dirname(resolve(file))), copy: copyOf(text) }
}

/** The file, or an error that names the line and the field. */
export function parseGatewayFile(text: string, name: string): GatewayFile {
  const read = readYaml(text)
  if (!read.ok) throw new GatewayError(`${name}:${read.line}: ${read.message}`)
  const { value } = read
  withoutNull(value)
  const faults = Value.Check(GatewayFile, value) ? faultsOf(value) : schemaFaults(value)
  const fault = faults[0]
  if (fault) throw new GatewayError(`${name}:${read.lineOf(fault.path)}: ${describe(fault)}`)
  return value as GatewayFile
}

/** `channels:` with only comments below it is an empty list. */
function withoutNull(value: unknown): void {
  if (isObject(value) && value.channels === null) value.channels = []
}

function schemaFaults(value: unknown): Fault[] {
  return likeliest(Value.Errors(GatewayFile, value))
    .filter((error) => error.keyword !== 'anyOf')
    .map((error) => {
      const path = error.instancePath
        .split('/')
        .slice(1)
        .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      const unknown = error.keyword === 'boolean'
      const params: object = error.params
      const choices = 'allowedValues' in params ? `: ${(params.allowedValues as unknown[]).join(', ')}` : ''
      return { path, message: unknown ? 'there is no such field' : `${error.message}${choices}` }
    })
}

const describe = ({ path, message }: Fault) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)

export function settingsOf(file: GatewayFile, folder: string): GatewaySettings {
  const { sensors = {} } = file
  const dataFolder = resolve(folder, file.data ?? 'data')
  return {
    service: serviceOf(file, folder, dataFolder),
    devices: devicesOf(file, folder),
    dataFolder,
    copy: null,
    bufferBytes: (file.buffer_mb ?? 512) * MB,
    collectMs: (sensors.collect_s ?? 3) * 1000,
    everyMs: (sensors.every_s ?? 30) * 1000,
    sources: sourcesOf(sensors),
    sensorNames: sensorNamesOf(sensors),
    autoOffS: file.auto_off_s ?? 900,
    channels: file.channels.map(channelOf),
    source: sourceOf(file),
    hotWater: contactsOf(busyContactsOf(file.hot_water)),
    tank: hotWaterOf(file.hot_water),
    flowLimiters: contactsOf(file.flow_limiter),
    flowTemperature: flowTemperatureOf(file.flow_temperature),
    supplies: suppliesOf(file.supply_temperature),
    cooling: coolingOf(file.cooling),
    grid: gridOf(file),
    sgReadyOutput: sgReadyOutputOf(file),
    meters: metersOf(file.meters ?? []),
    polled: polledOf(file, (name, what) => readText(resolve(folder, name), what)),
    covers: coversOf(file.covers),
    page: file.page ? pageOf(file.page.listen ?? LOOPBACK_PAGE) : null,
  }
}

function pageOf(listen: string): PageSettings {
  const colon = listen.lastIndexOf(':')
  return { host: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) }
}

function serviceOf({ service }: GatewayFile, folder: string, dataFolder: string): ServiceSettings | null {
  if (!service) return readCredentials(dataFolder)
  const token = service.token ?? readText(resolve(folder, service.token_file ?? ''), 'token').trim()
  return { url: service.url, gatewayId: service.gateway_id, token, ca: caOf(service.ca_file, folder) }
}

function devicesOf({ devices }: GatewayFile, folder: string): BrokerSettings {
  const { password_file } = devices
  const password = password_file ? readText(resolve(folder, password_file), 'password').trim() : devices.password
  return {
    url: devices.url,
    username: devices.username ?? null,
    password: password ?? null,
    ca: caOf(devices.ca_file, folder),
  }
}

const caOf = (file: string | undefined, folder: string) =>
  file === undefined ? null : readText(resolve(folder, file), 'certificate')

function channelOf(channel: FileChannel): ChannelSettings {
  const probe = channel.floor_probe
  return {
    ...relayOf(channel),
    channel: channel.channel,
    name: channel.name ? `channel ${channel.channel} (${channel.name})` : `channel ${channel.channel}`,
    normally: channel.normally ?? 'closed',
    heat: channel.heat ?? 'hydronic',
    actuator: actuatorOf(channel),
    areaM2: channel.area_m2 ?? 0,
    floorProbe: probe ? { sensorId: sensorIdOf(probe.sensor), maxC: probe.max_c ?? MAX_FLOOR_C } : null,
  }
}

export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : String(error)
    throw new GatewayError(`cannot read the ${what} ${file}: ${why}`)
  }
}
