import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Notice } from '@hypocaust/domain'
import { writeAgentConfig } from './agent-config.ts'
import type { Notices } from './notices.ts'
import { runPart, startPart } from './parts.ts'
import { readOptions, SETUP } from './setup.ts'
import type { Supervisor } from './supervisor.ts'

const AGENT = ['agent_not_configured', 'agent_not_paired', 'pairing_failed', 'agent_ended'] as const
/** An agent that has run this long has read its settings and is at work. */
const AT_WORK_AFTER_MS = 5_000

class NotRunning extends Error {
  readonly kind: Notice['kind']

  constructor(kind: Notice['kind'], detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** Keeps the agent running while there is a gateway.yaml; whatever stops it is a notice, and is tried again. */
export class AgentKeeper {
  readonly #supervisor: Supervisor
  readonly #notices: Notices
  readonly #signal: AbortSignal
  #child: ChildProcess | undefined

  constructor(supervisor: Supervisor, notices: Notices, signal: AbortSignal) {
    this.#supervisor = supervisor
    this.#notices = notices
    this.#signal = signal
    signal.addEventListener('abort', () => this.#child?.kill('SIGTERM'))
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        await this.#once()
      } catch (error) {
        const kind = error instanceof NotRunning ? error.kind : 'agent_not_configured'
        this.#notices.report(AGENT, kind, firstLine(error))
      }
      await setTimeout(SETUP.retryMs, undefined, { signal: this.#signal }).catch(() => {})
    }
  }

  async #once(): Promise<void> {
    const config = writeAgentConfig(SETUP.config, SETUP.data, await this.#supervisor.broker())
    if (!config) return this.#notices.clear(AGENT)
    await pairOnce(config)
    const { child, ended } = startPart('gateway', 'run', '--config', config)
    this.#child = child
    const atWork = globalThis.setTimeout(() => this.#notices.clear(AGENT), AT_WORK_AFTER_MS)
    const { code, complaint } = await ended
    clearTimeout(atWork)
    if (!this.#signal.aborted) throw new NotRunning('agent_ended', complaint || `it ended with ${code}`)
  }
}

/** Exchanges the code once; a code of before is of no use to an agent that has its identity. */
async function pairOnce(config: string): Promise<void> {
  if (existsSync(join(SETUP.data, 'gateway', 'credentials.json'))) return
  const code = readOptions().pairing_code
  if (!code) throw new NotRunning('agent_not_paired', '')
  const service = `http://127.0.0.1:${SETUP.port}`
  const { code: exit, complaint } = await runPart(
    ...['gateway', 'pair', '--service', service, '--code', code, '--config', config],
  )
  if (exit !== 0) throw new NotRunning(isAboutCode(complaint) ? 'pairing_failed' : 'agent_not_configured', complaint)
}

const isAboutCode = (complaint: string): boolean => /refused the code/.test(complaint)

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
