import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { eventually } from '@hypocaust/testing/eventually.ts'

let made = 0

/** A network of its own with nothing but 127.0.0.1, so that the ports of the page are free. */
export class Network {
  static readonly #left = new Set<Network>()
  readonly #name = `hypocaust-${process.pid}-${++made}`
  readonly #children: { child: ChildProcess; ended: Promise<unknown> }[] = []

  static async make(): Promise<Network> {
    const network = new Network()
    await promisify(execFile)('ip', ['netns', 'add', network.#name])
    Network.#left.add(network)
    await network.run('ip', ['link', 'set', 'lo', 'up'])
    return network
  }

  /** Ends what a test that failed has left: the next one begins without its processes. */
  static async removeAll(): Promise<void> {
    for (const network of Network.#left) await network.remove()
  }

  async run(program: string, args: string[], input = ''): Promise<string> {
    const command = ['netns', 'exec', this.#name, program, ...args]
    const running = promisify(execFile)('ip', command, { maxBuffer: 64e6 })
    // A program that reads nothing may have ended by now.
    running.child.stdin?.on('error', () => {}).end(input)
    return (await running).stdout
  }

  /** Starts a program that stays until the network is removed. unshare lets nothing but SIGKILL through. */
  start(program: string, args: string[], env = process.env): { stdout: string; child: ChildProcess } {
    const child = spawn('ip', ['netns', 'exec', this.#name, program, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const running = { stdout: '', child }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      running.stdout += text
    })
    this.#children.push({ child, ended: once(child, 'exit') })
    return running
  }

  async remove(): Promise<void> {
    Network.#left.delete(this)
    for (const { child } of this.#children) child.kill('SIGKILL')
    await Promise.all(this.#children.map(({ ended }) => ended))
    // A process that has changed its user outlives unshare.
    await eventually(async () => {
      const { stdout } = await promisify(execFile)('ip', ['netns', 'pids', this.#name])
      for (const pid of stdout.split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGKILL')
      return stdout === ''
    })
    await promisify(execFile)('ip', ['netns', 'delete', this.#name])
  }
}
