import { createInterface } from 'node:readline'
import { isObject } from '../base/json.ts'
import { loadGatewayConfig } from '../config/load.ts'
import { Reader, type Reading, type ReadReading } from './index.ts'
import type { RelayReport } from './relays.ts'

interface ReadOptions {
  /** Without a configuration all profiles are tried with their defaults. */
  config: string | undefined
  json: boolean
  /** One message; without it, JSON lines `{"topic","payload"}` from the input. */
  message: { topic: string; payload: string } | undefined
  input: NodeJS.ReadableStream
  say(line: string): void
}

/** Says what the agent understands of each message, or why it ignores it. */
export async function readMessages({ config, json, message, input, say }: ReadOptions): Promise<void> {
  const settings = config === undefined ? null : loadGatewayConfig(config)
  const reader = new Reader(settings?.sources ?? null, settings?.sensorNames)
  const print = (topic: string, reading: Reading) =>
    say(json ? JSON.stringify(reading) : `${topic}  ${describe(reading)}`)
  if (message) return print(message.topic, reader.read(message.topic, Buffer.from(message.payload)))
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const read = readLine(reader, line)
    print(read.topic, read.reading)
  }
}

/** A bad line never stops the stream. */
function readLine(reader: Reader, line: string): { topic: string; reading: Reading } {
  const value = parsed(line)
  if (!isObject(value) || typeof value.topic !== 'string')
    return { topic: '?', reading: { ignored: 'the line is not {"topic": …, "payload": …}' } }
  const { topic, payload = '' } = value
  const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  try {
    return { topic, reading: reader.read(topic, bytes) }
  } catch (error) {
    return { topic, reading: { ignored: `cannot be read: ${error instanceof Error ? error.message : error}` } }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function describe(reading: Reading): string {
  if ('ignored' in reading) return `ignored: ${reading.ignored}`
  const relay = 'relay' in reading && reading.relay ? [describeRelay(reading.relay)] : []
  const readings = 'readings' in reading ? reading.readings.map(describeReading) : []
  return [...readings, ...relay].join('; ')
}

function describeReading({
  sensor,
  name,
  temperature,
  floor,
  contact,
  humidity,
  battery,
  rssi,
  time,
}: ReadReading): string {
  const values = [
    temperature === undefined ? null : `${temperature} °C`,
    floor === undefined ? null : `floor ${floor} °C`,
    contact ?? null,
    humidity === undefined ? null : `${humidity} %`,
    battery === undefined ? null : `battery ${battery} %`,
    rssi === undefined ? null : `${rssi} dBm`,
    time ?? null,
  ].filter((value) => value !== null)
  return `${sensor}${name === undefined ? '' : ` (${name})`}  ${values.join(', ')}`
}

function describeRelay({ driver, profile, topic, outputs, watts }: RelayReport): string {
  const states = Object.entries(outputs).map(([output, state]) => {
    const value = typeof state === 'number' ? `${state} %` : state ? 'on' : 'off'
    return output === '' ? value : `${output} ${value}`
  })
  return `relay ${driver ?? profile} ${topic}  ${states.join(', ')}${watts === undefined ? '' : `, ${watts} W`}`
}
