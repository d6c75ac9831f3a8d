import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MissingProgram } from '../load/processes.ts'
import type { Row, SpeedResult } from './result.ts'

/** A good solid-state disk of a home; a memory card takes several times as long. */
const FLUSH_MS = 2
const SHOWN = ['patch-rate', 'patches', 'commits']

/**
 * PATCHes against single commits where a flush takes time, for both alike: the disk of this machine may have none. A
 * process of its own measures it, with every flush of it and of its children drawn out by the kernel's tracer.
 */
export async function slowDiskRows(isQuick: boolean): Promise<Row[]> {
  const flushes = ['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:delay_exit=${FLUSH_MS * 1000}`]
  const measure = [join(import.meta.dirname, 'main.ts'), '--part', 'patch', '--engine', 'sqlite', '--json']
  const { stdout } = await promisify(execFile)('strace', [
    ...['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null'],
    ...flushes,
    ...[process.execPath, ...measure, ...(isQuick ? ['--quick'] : [])],
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new MissingProgram('strace is not installed. On Debian: apt-get install strace')
  })
  const { rows } = JSON.parse(stdout) as SpeedResult
  return rows
    .filter(({ id }) => SHOWN.includes(id))
    .map((row) => ({ ...row, id: `slow-${row.id}`, name: `${row.name}, flushes of ${FLUSH_MS} ms` }))
}
