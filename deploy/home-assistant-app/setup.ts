import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Options {
  log_level?: string
  pairing_code?: string
}

const { env } = process

/** What the Supervisor gives every app, or a test in its place. */
export const SETUP = {
  data: env.APP_DATA ?? '/data',
  config: env.APP_CONFIG ?? '/config',
  command: env.APP_COMMAND ?? '/usr/lib/hypocaust/dist/js/hypocaust.js',
  supervisor: env.APP_SUPERVISOR ?? 'http://supervisor',
  port: Number(env.HYPOCAUST_PORT ?? 8080),
  retryMs: Number(env.APP_RETRY_MS ?? 10_000),
}

export const SERVICE_DATA = join(SETUP.data, 'hypocaust')
export const NOTICES = join(SETUP.data, 'notices.json')
/** Written around a backup of Home Assistant's, while the service runs. */
export const BACKUP = join(SETUP.data, 'hypocaust.backup')

/** Read again for every attempt: a new pairing code counts at once. */
export const readOptions = (): Options => JSON.parse(readFileSync(join(SETUP.data, 'options.json'), 'utf8'))
