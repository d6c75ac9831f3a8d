import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { vi } from 'vitest'
import { runCommand } from '../../cli/src/program.ts'
import { ownEnvironment, programOf } from './program-of.ts'

export const MAIN = programOf('hypocaust')

export const ENV = ownEnvironment()

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  json: any
}

/** Runs the real command to its end, in a folder without a configuration file. */
export async function hypocaust(
  folder: string,
  args: string[],
  input = '',
  env: Record<string, string> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, env: { ...ENV, ...env } })
  // A command that reads nothing may have ended by now.
  child.stdin.on('error', () => {}).end(input)
  const output = collect(child)
  await once(child, 'close')
  const { stdout, stderr } = output
  return {
    code: child.exitCode,
    stdout,
    stderr,
    json: args.includes('--json') && stdout ? JSON.parse(stdout) : undefined,
  }
}

/** The same command within this process, where starting another one would show nothing more. */
export async function carriedOut(args: string[], input = ''): Promise<Outcome> {
  const output = { stdout: '', stderr: '' }
  const keep = (name: keyof typeof output) => (text: unknown) => {
    output[name] += `${text}\n`
  }
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin),
    vi.spyOn(console, 'log').mockImplementation(keep('stdout')),
    vi.spyOn(console, 'error').mockImplementation(keep('stderr')),
    // Here Commander prints what it cannot understand.
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      output.stderr += text
      return true
    }),
  ]
  const { argv } = process
  process.argv = [process.execPath, MAIN, ...args]
  process.exitCode = 0
  try {
    await runCommand()
    const json = args.includes('--json') && output.stdout ? JSON.parse(output.stdout) : undefined
    return { code: process.exitCode, ...output, json }
  } finally {
    process.exitCode = undefined
    process.argv = argv
    for (const spy of spies) spy.mockRestore()
  }
}

export interface Running {
  url: string
  pid: number
  stdout: string
  stderr: string
  /** The exit code, or the signal that ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null>
}

/** Starts a command that stays, and waits until it has printed its address. */
export async function start(
  folder: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  [program, ...before]: readonly [string, ...string[]] = [process.execPath, MAIN],
): Promise<Running> {
  const child = spawn(program, [...before, ...args], { cwd: folder, env: { ...ENV, ...env } })
  const output = collect(child)
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [found] = /https?:\/\/[\d.]+:\d+/.exec(output.stdout) ?? []
      if (found && output.stdout.endsWith('\n')) resolve(found)
    })
    ended.then(() => reject(new Error(`ended with ${child.exitCode}: ${output.stderr}`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    async end(signal) {
      child.kill(signal)
      await ended
      return child.exitCode ?? child.signalCode
    },
  }
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    output.stderr += chunk
  })
  return output
}
