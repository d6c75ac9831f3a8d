import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { timestampOf } from '@hypocaust/domain'
import {
  explainRoom,
  findRooms,
  listGateways,
  type Settings,
  type Store,
  systemClock,
  WHOLE_VERSION,
  withoutSecrets,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf, withStore } from '../context.ts'
import { NotFound } from '../failure.ts'
import { printJson } from '../output.ts'
import { examine } from './doctor.ts'

const HOUR_MS = 3_600_000
const LOG_LINES = 300

export function reportCommand(program: Command): void {
  addSettingFlags(
    program
      .command('report <file>')
      .description('write a file about this installation, without secrets, to attach to a problem report'),
    ['data'],
  )
    .option('--room <ROOM>', 'with the last day of this room')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: { room?: string; json?: boolean }, command: Command) => {
      const report = await reportOf(command, flags.room)
      writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })
      if (flags.json) printJson({ file })
      else console.log(`Written to ${file}. Read it before you pass it on: it names rooms and gateways.`)
    })
}

async function reportOf(command: Command, room: string | undefined): Promise<object> {
  const settings: Settings = settingsOf(command)
  const stored = await withStore(command, async (store) => ({
    gateways: (await listGateways(store)).map(({ id: _, ...rest }) => rest),
    ...(room !== undefined && { room: await lastDayOf(store, room) }),
  }))
  return {
    version: WHOLE_VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    written_at: timestampOf(systemClock.now()),
    settings: withoutSecrets(settings),
    checks: await examine(settings),
    ...stored,
    log: await logLines(),
  }
}

/** What the control decided at each hour of the last day, and why. */
async function lastDayOf(store: Store, name: string): Promise<object> {
  const [room] = await findRooms(store, name)
  if (!room) throw new NotFound(`there is no room ${name}`)
  const nowMs = systemClock.now()
  const moments = Array.from({ length: 25 }, (_, i) => nowMs - (24 - i) * HOUR_MS)
  const decisions = []
  for (const atMs of moments) {
    const explained = await explainRoom(store, room.id, atMs)
    if (explained) decisions.push({ decided_at: timestampOf(explained.decidedAt), ...explained })
  }
  return { name: room.name, decisions }
}

/** Where systemd keeps the log; elsewhere it is in the hands of whoever started the service. */
async function logLines(): Promise<string[]> {
  const units = ['--unit', 'hypocaust*', '--unit', 'hypocaust-gateway']
  try {
    const { stdout } = await promisify(execFile)('journalctl', [...units, '--lines', String(LOG_LINES), '--no-pager'])
    return stdout.trim().split('\n')
  } catch {
    return []
  }
}
