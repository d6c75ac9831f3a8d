import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '@hypocaust/service'

export type Listening = Pick<Settings, 'host' | 'port'>

const fileIn = (data: string): string => join(data, 'listening.json')

/** For commands that are started beside the service, without the flags it was started with. */
export function noteListening(data: string, { host }: Listening, url: string): void {
  const port = Number(new URL(url).port)
  try {
    if (port > 0) writeFileSync(fileIn(data), `${JSON.stringify({ host, port })}\n`)
  } catch {
    // With PostgreSQL the folder may be absent or read-only, which is no reason not to serve.
  }
}

/** Where the service listens or has last listened; nothing where no service has been started on this folder. */
export function notedListening(data: string): Partial<Listening> {
  try {
    const { host, port } = JSON.parse(readFileSync(fileIn(data), 'utf8')) as Listening
    return typeof host === 'string' && Number.isInteger(port) ? { host, port } : {}
  } catch {
    return {}
  }
}
