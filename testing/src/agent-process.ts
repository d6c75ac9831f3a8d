import { type ChildProcess, spawn } from 'node:child_process'
import { programOf } from './program-of.ts'

const MAIN = programOf('gateway')

/** The agent's own command, as a real process. */
export function startMain(
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): { child: ChildProcess; output: () => string; exit: Promise<number | null> } {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += text
    })
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, output: () => output, exit }
}

export async function runMain(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const { output, exit } = startMain(args, cwd)
  return { code: await exit, output: output() }
}
