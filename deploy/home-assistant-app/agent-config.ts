import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Broker } from './supervisor.ts'

/** The owner's gateway.yaml with what only the app knows: its data folder, and the broker of Home Assistant. */
export function writeAgentConfig(configFolder: string, dataFolder: string, broker?: Broker): string | undefined {
  const written = join(configFolder, 'gateway.yaml')
  if (!existsSync(written)) return undefined
  const own = join(dataFolder, 'gateway')
  const file = join(own, 'gateway.yaml')
  mkdirSync(own, { recursive: true })
  const devices = broker && { devices: { ...broker } }
  const whole = { ...devices, data: own, ...(parse(readFileSync(written, 'utf8')) as object) }
  writeFileSync(file, stringify(whole), { mode: 0o600 })
  return file
}
