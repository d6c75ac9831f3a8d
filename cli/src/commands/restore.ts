import { restore } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { Failure } from '../failure.ts'
import { printJson } from '../output.ts'

export function restoreCommand(program: Command): void {
  addSettingFlags(
    program.command('restore <file>').description('put a backup into a data folder, while the service is stopped'),
    ['data'],
  )
    .option('--replace', 'also where there is a database already; it stays beside the new one')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: { replace?: boolean; json?: boolean }, command: Command) => {
      const { data, database_url } = settingsOf(command)
      if (database_url !== undefined)
        throw new Failure('the database is PostgreSQL: restore it with pg_restore, as described in docs/operations.md')
      const result = restore(file, data, { replace: flags.replace === true, nowMs: Date.now() })
      if (flags.json) printJson(result)
      else console.log(summaryOf(result))
    })
}

function summaryOf({ folder, tables, replaced }: ReturnType<typeof restore>): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const before = replaced === null ? '' : `\nThe database that was there is now ${replaced}`
  return `Restored to ${folder}: ${rows} rows in ${Object.keys(tables).length} tables, read through.${before}`
}
