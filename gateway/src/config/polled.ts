import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Value from 'typebox/value'
import { parse } from 'yaml'
import { GatewayError } from '../base/error.ts'
import { isObject } from '../base/json.ts'
import type { HttpOrder, HttpSettings } from '../polled/http-device.ts'
import type { ModbusSettings } from '../polled/modbus-device.ts'
import type { PolledSettings } from '../polled/polled-devices.ts'
import type { Register } from '../polled/register.ts'
import { isPolled } from '../polled/topic.ts'
import type { Fault } from './fault.ts'
import { type FileHttp, type FileModbus, type FileRegister, RegisterMap } from './polled-schema.ts'
import type { GatewayFile } from './schema.ts'

const FOLDER = resolve(import.meta.dirname, '../../profiles/modbus')
const MODBUS_PORT = 502
const EVERY_S = 30

type ReadText = (file: string, what: string) => string

export const polledOf = ({ modbus = [], http = [] }: GatewayFile, readFile: ReadText): PolledSettings => ({
  modbus: modbus.map(modbusOf),
  http: http.map((each) => httpOf(each, readFile)),
})

function modbusOf(file: FileModbus): ModbusSettings {
  const [, host = '', port] = ADDRESS.exec(file.address) ?? []
  return {
    name: file.name,
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? MODBUS_PORT : Number(port),
    unit: file.unit ?? 1,
    everyMs: (file.every_s ?? EVERY_S) * 1000,
    values: new Map(Object.entries(registersOf(file)).map(([name, register]) => [name, registerOf(register)])),
  }
}

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port. */
const ADDRESS = /^(\[[0-9A-Fa-f:.]+\]|[^:/\s]+)(?::(\d{1,5}))?$/

const registersOf = ({ map, values = {} }: FileModbus): Record<string, FileRegister> => ({
  ...(map !== undefined && registerMaps().get(map)?.values),
  ...values,
})

const registerOf = ({ table, address, type, words, bit, scale, offset, none, write }: FileRegister): Register => ({
  table,
  address,
  type: type ?? 'int16',
  isLowWordFirst: words === 'low_first',
  bit: bit ?? null,
  scale: scale ?? 1,
  offset: offset ?? 0,
  none: none ?? [],
  write: write ?? null,
})

const httpOf = (file: FileHttp, readFile: ReadText): HttpSettings => ({
  name: file.name,
  url: file.get ?? null,
  everyMs: (file.every_s ?? EVERY_S) * 1000,
  headers: file.headers ?? {},
  ca: file.ca_file === undefined ? null : readFile(file.ca_file, 'certificate'),
  orders: new Map(Object.entries(file.orders ?? {}).map(([name, order]) => [name, orderOf(order)])),
})

const orderOf = (order: NonNullable<FileHttp['orders']>[string]): HttpOrder => ({
  method: order.method ?? 'POST',
  url: order.url,
  body: order.body ?? null,
  contentType: order.content_type ?? 'application/json',
  min: order.min ?? Number.NEGATIVE_INFINITY,
  max: order.max ?? Number.POSITIVE_INFINITY,
})

let loaded: ReadonlyMap<string, RegisterMap> | undefined

/** The register maps that come with the program, by name. */
export function registerMaps(): ReadonlyMap<string, RegisterMap> {
  loaded ??= new Map(
    readdirSync(FOLDER)
      .sort()
      .map((file) => mapIn(join(FOLDER, file)))
      .map((map) => [map.map, map]),
  )
  return loaded
}

function mapIn(file: string): RegisterMap {
  const value: unknown = parse(readFileSync(file, 'utf8'))
  if (Value.Check(RegisterMap, value)) return value
  const [fault] = Value.Errors(RegisterMap, value)
  throw new GatewayError(`${file}: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is not a register map'}`)
}

export function polledFaults(file: GatewayFile): Fault[] {
  const { modbus = [], http = [] } = file
  return [
    ...modbus.flatMap(modbusFaults),
    ...http.flatMap(httpFaults),
    ...topicFaults(file, [], topicsOf(modbus, http)),
  ]
}

function modbusFaults(file: FileModbus, i: number, all: FileModbus[]): Fault[] {
  const at = (path: string[], message: string): Fault => ({ path: ['modbus', i, ...path], message })
  if (all.findIndex(({ name }) => name === file.name) < i) return [at(['name'], `${file.name} is there twice`)]
  if (Number(ADDRESS.exec(file.address)?.[2] ?? 1) > 65_535 || !ADDRESS.test(file.address))
    return [at(['address'], 'must be a host, or a host and a port such as 192.168.1.40:502')]
  if (file.map !== undefined && !registerMaps().has(file.map))
    return [at(['map'], `there is no map ${file.map}; there are: ${[...registerMaps().keys()].join(', ')}`)]
  return Object.entries(file.values ?? {}).flatMap(([name, register]) =>
    registerFaults(register).map((message) => at(['values', name], message)),
  )
}

export function registerFaults({ table, type = 'int16', bit, scale, write }: FileRegister): string[] {
  const isBits = table === 'coil' || table === 'discrete'
  const faults: string[] = []
  if (scale === 0) faults.push('scale must not be 0')
  if (isBits && bit !== undefined) faults.push('bit is for tables of words')
  if (bit !== undefined && (type === 'float32' || bit >= (type.endsWith('16') ? 16 : 32)))
    faults.push(`${type} has no bit ${bit}`)
  if (write && (table === 'discrete' || table === 'input')) faults.push(`nothing can be written to ${table}`)
  if (write && bit !== undefined) faults.push('a single bit of a word cannot be written')
  if (write && write.min > write.max) faults.push('write.min is above write.max')
  return faults
}

function httpFaults(file: FileHttp, i: number, all: FileHttp[]): Fault[] {
  const at = (path: string[], message: string): Fault => ({ path: ['http', i, ...path], message })
  if (all.findIndex(({ name }) => name === file.name) < i) return [at(['name'], `${file.name} is there twice`)]
  if (file.get === undefined && file.orders === undefined) return [at([], 'needs get or orders')]
  const addresses = [['get', file.get], ...Object.entries(file.orders ?? {}).map(([name, { url }]) => [name, url])]
  const wrong = addresses.find(([, url]) => url !== undefined && !URL.canParse(url))
  if (wrong) return [at(wrong[0] === 'get' ? ['get'] : ['orders', wrong[0] ?? '', 'url'], 'is no address')]
  return Object.entries(file.orders ?? {}).flatMap(([name, { url, body = '', min, max }]) => {
    if (min !== undefined && max !== undefined && min > max) return [at(['orders', name, 'min'], 'is above max')]
    return `${url}${body}`.includes('{value}')
      ? []
      : [at(['orders', name], 'needs {value}, what is ordered, in url or body')]
  })
}

function topicsOf(modbus: readonly FileModbus[], http: readonly FileHttp[]): ReadonlySet<string> {
  return new Set([
    ...modbus.flatMap((file) =>
      Object.entries(registersOf(file)).flatMap(([name, { write }]) => {
        const topic = `modbus:${file.name}/${name}`
        return write ? [topic, `${topic}/set`] : [topic]
      }),
    ),
    ...http.flatMap(({ name, get, orders = {} }) => [
      ...(get === undefined ? [] : [`http:${name}`]),
      ...Object.keys(orders).map((order) => `http:${name}/${order}/set`),
    ]),
  ])
}

/** Every topic of the file that stands for a polled device must be one that there is. */
function topicFaults(value: unknown, path: (string | number)[], known: ReadonlySet<string>): Fault[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => topicFaults(each, [...path, i], known))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) => {
    if (!name.endsWith('topic')) return topicFaults(each, [...path, name], known)
    if (typeof each !== 'string' || !isPolled(each) || known.has(each)) return []
    return [{ path: [...path, name], message: `no device under modbus or http has ${each}` }]
  })
}
