import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import Value from 'typebox/value'
import { GatewayError } from '../base/error.ts'
import type { ServiceSettings } from './settings.ts'

const Credentials = Type.Object({
  url: Type.String(),
  gateway_id: Type.String(),
  token: Type.String(),
  ca: Type.Optional(Type.String()),
})

const fileIn = (dataFolder: string) => join(dataFolder, 'credentials.json')

/** What pairing brought; null when this gateway was never paired. */
export function readCredentials(dataFolder: string): ServiceSettings | null {
  const file = fileIn(dataFolder)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new GatewayError(`cannot read ${file}: ${error instanceof Error ? error.message : error}; pair again`)
  }
  if (!Value.Check(Credentials, value)) throw new GatewayError(`${file} is incomplete; pair again`)
  return { url: value.url, gatewayId: value.gateway_id, token: value.token, ca: value.ca ?? null }
}

/** Readable by its owner alone, and whole or not at all. */
export function writeCredentials(dataFolder: string, { url, gatewayId, token, ca }: ServiceSettings): string {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const file = fileIn(dataFolder)
  const draft = `${file}.new`
  const credentials = { url, gateway_id: gatewayId, token, ...(ca !== null && { ca }) }
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
  return file
}
