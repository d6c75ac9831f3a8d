import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { NOTICES, readOptions, SERVICE_DATA, SETUP } from './setup.ts'

/** Of the Supervisor, on every installation. It passes on what Home Assistant says of a browser. */
const SUPERVISOR_ADDRESS = '172.30.32.2'

export interface Outcome {
  code: number | null
  /** The last line it printed to standard error. */
  complaint: string
}

/** A command of the product with the app's settings. Its log goes to the app's log. */
export function startPart(...args: string[]): { child: ChildProcess; ended: Promise<Outcome> } {
  const child = spawn(process.execPath, [SETUP.command, ...args], {
    env: {
      ...process.env,
      HYPOCAUST_DATA: SERVICE_DATA,
      HYPOCAUST_HOST: '0.0.0.0',
      HYPOCAUST_PORT: String(SETUP.port),
      HYPOCAUST_TRUSTED_PROXIES: SUPERVISOR_ADDRESS,
      HYPOCAUST_NOTICES_FILE: NOTICES,
      HYPOCAUST_INSTALLED_AS: 'home-assistant',
      HYPOCAUST_LOG_LEVEL: readOptions().log_level ?? 'info',
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text)
    complaint = text.trim().split('\n').at(-1) || complaint
  })
  const ended = once(child, 'close').then(([code]) => ({ code, complaint: complaint.replace(/^hypocaust: /, '') }))
  return { child, ended }
}

export const runPart = (...args: string[]): Promise<Outcome> => startPart(...args).ended
