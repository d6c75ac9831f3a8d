import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type RestoredBuilding, restore, restoreBuilding, type Store, systemClock } from '@hypocaust/service'
import type { Command } from 'commander'
import { accountOf, addSettingFlags, withStore } from '../context.ts'
import { printJson } from '../output.ts'
import { Progress } from '../progress.ts'

interface Flags {
  from: string
  account?: string
  json?: boolean
}

export function buildingRestoreCommand(building: Command): void {
  addSettingFlags(
    building
      .command('restore <building>')
      .description('bring one deleted building back from a backup, while the service runs; named by its id or name'),
    ['data'],
  )
    .requiredOption('--from <BACKUP>', 'a file made by hypocaust backup, or the postgres:// address of a restored dump')
    .option('--account <EMAIL>', 'who becomes its owner where none of its owners has an account any more')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: Flags, command: Command) => {
      const progress = new Progress()
      const result = await withStore(command, (store) =>
        withBackup(flags.from, async (backup) => {
          const ownerId = flags.account === undefined ? undefined : (await accountOf(store, flags.account)).id
          const onProgress = (_table: string, done: number, of: number) => progress.show('Restore', done, of)
          return restoreBuilding(backup, store, systemClock, { building: name, ownerId, onProgress })
        }),
      )
      progress.end()
      if (flags.json) printJson(result)
      else console.log(summaryOf(result))
    })
}

/** A file is put into a folder of its own first, where it is checked and brought to this version. */
async function withBackup<T>(from: string, work: (backup: Store) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-restore-'))
  try {
    const url = /^postgres(ql)?:/.test(from) ? from : undefined
    if (url === undefined) restore(from, folder, { replace: false, nowMs: Date.now() })
    const backup = await openStore(folder, url)
    try {
      return await work(backup)
    } finally {
      await backup.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function summaryOf({ id, name, tables, members, without_account }: RestoredBuilding): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const missing = without_account.length === 0 ? '' : `\nNo account any more: ${without_account.join(', ')}`
  return `Restored ${name} (${id}): ${rows} rows, members: ${members.join(', ') || 'the account named'}.${missing}`
}
