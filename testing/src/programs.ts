import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { findProgram, inPath } from '../../scripts/programs.ts'

/** Debian keeps servers out of an ordinary user's PATH. */
export const findServer = (name: string): string | undefined =>
  findProgram([name], [...inPath(), '/usr/sbin', '/usr/local/sbin'])

/** Whether a program listens on this port. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** Resolves when it has exited, which it may have already. */
export async function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}
