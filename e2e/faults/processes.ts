import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownEnvironment } from '@hypocaust/testing/program-of.ts'
import { answers, endProcess } from '@hypocaust/testing/programs.ts'

const START_LIMIT_MS = 180_000

type Launch = { program: string; args: string[]; cwd: string; env?: Record<string, string>; port?: number }

const ENV = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'hypocaust-test-compile-cache'),
  ...ownEnvironment(),
}

export type Ended = { code: number | null; stderr: string }

/** A process that is ended and started again in the same way, as a supervisor would. */
export class Supervised {
  readonly #launch: Launch
  #child: ChildProcess | undefined
  #stderr = ''

  constructor(launch: Launch) {
    this.#launch = launch
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The last lines of what it wrote. */
  get stderr(): string {
    return this.#stderr
  }

  /** Resolves when it listens on its port, where it has one. */
  async start(): Promise<void> {
    const ended = this.#spawn()
    const { port } = this.#launch
    for (const giveUp = Date.now() + START_LIMIT_MS; port !== undefined && !(await answers(port)); await sleep(20)) {
      if (!this.isRunning) throw new Error(`did not start: ${(await ended).stderr}`)
      if (Date.now() > giveUp) throw new Error(`no answer on port ${port} within ${START_LIMIT_MS / 1000} s`)
    }
  }

  /** Started to see whether it refuses: resolves when it has ended, or listens. */
  async startOrRefuse(): Promise<'started' | Ended> {
    const ended = this.#spawn()
    const { port = 0 } = this.#launch
    while (this.isRunning) {
      if (await answers(port)) return 'started'
      await sleep(20)
    }
    return ended
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.#child?.kill(signal)
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await endProcess(this.#child, signal)
  }

  #spawn(): Promise<Ended> {
    const { program, args, cwd, env } = this.#launch
    const child = spawn(program, args, { cwd, env: { ...ENV, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    this.#stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-4000)
    })
    return once(child, 'close').then(() => ({ code: child.exitCode, stderr: this.#stderr }))
  }
}
