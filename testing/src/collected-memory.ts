import { readFileSync } from 'node:fs'

/**
 * Flags with which Node collects garbage in every thread each few seconds. Without them the memory of a process that
 * idles is what was left before the last collection, which may be minutes ago.
 */
export const COLLECTING = ['--expose-gc', '--import', 'data:text/javascript,setInterval(gc,3000).unref()']

/** Of a process, by Linux's own books. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
