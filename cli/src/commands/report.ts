import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { findRooms, problemReport, type Settings, type Store, systemClock, withoutSecrets } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf, withStore } from '../context.ts'
import { NotFound } from '../failure.ts'
import { printJson } from '../output.ts'
import { examine } from './doctor.ts'

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
  const more = { settings: withoutSecrets(settings), checks: await examine(settings) }
  const log = await logLines()
  return withStore(command, async (store) =>
    problemReport(store, systemClock.now(), {
      ...(room !== undefined && { room: await roomNamed(store, room) }),
      more,
      log,
    }),
  )
}

async function roomNamed(store: Store, name: string): Promise<{ id: string; name: string }> {
  const [room] = await findRooms(store, name)
  if (!room) throw new NotFound(`there is no room ${name}`)
  return room
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
