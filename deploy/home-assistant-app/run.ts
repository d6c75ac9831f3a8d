// The Home Assistant app: the service, and beside it the agent. Only the end of the service ends the app.
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { installationOf, openStore } from '@hypocaust/service'
import { AgentKeeper } from './agent.ts'
import { afterBackup, beforeBackup, restoreCopy } from './backup.ts'
import { Notices } from './notices.ts'
import { startPart } from './parts.ts'
import { NOTICES, SERVICE_DATA, SETUP } from './setup.ts'
import { Supervisor } from './supervisor.ts'

const DISCOVERY = ['discovery_failed'] as const
const LOOK_EVERY_MS = 500

const COMMANDS: Record<string, () => number | Promise<number>> = {
  run: runApp,
  'before-backup': beforeBackup,
  'after-backup': afterBackup,
}

async function runApp(): Promise<number> {
  mkdirSync(SERVICE_DATA, { recursive: true })
  await restoreCopy()
  const notices = new Notices(NOTICES)
  const supervisor = new Supervisor(SETUP.supervisor, process.env.SUPERVISOR_TOKEN)
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.abort())
  const service = startPart('serve')
  ending.signal.addEventListener('abort', () => service.child.kill('SIGTERM'))
  const beside = untilReady(ending.signal).then(() =>
    Promise.all([
      announce(supervisor, notices, ending.signal),
      new AgentKeeper(supervisor, notices, ending.signal).run(),
    ]),
  )
  const { code } = await service.ended
  ending.abort()
  await beside
  return code ?? 1
}

async function untilReady(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isReady = await fetch(`http://127.0.0.1:${SETUP.port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await setTimeout(LOOK_EVERY_MS)
  }
}

/** Until Home Assistant has taken it: its Supervisor may be starting, or be replaced. */
async function announce(supervisor: Supervisor, notices: Notices, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await supervisor.announce({ host: hostname(), port: SETUP.port, installation: await installation() })
      return notices.clear(DISCOVERY)
    } catch (error) {
      notices.report(DISCOVERY, 'discovery_failed', error instanceof Error ? error.message : String(error))
    }
    await setTimeout(SETUP.retryMs, undefined, { signal }).catch(() => {})
  }
}

async function installation(): Promise<string> {
  const store = await openStore(SERVICE_DATA)
  try {
    return await installationOf(store)
  } finally {
    await store.close()
  }
}

const command = COMMANDS[process.argv[2] ?? 'run']
process.exitCode = command ? await command() : 2
