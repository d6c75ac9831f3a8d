import { backUp } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { Failure } from '../failure.ts'
import { printJson } from '../output.ts'
import { Progress } from '../progress.ts'

export function backupCommand(program: Command): void {
  addSettingFlags(
    program.command('backup <file>').description('copy the database and its secrets to a file, while the service runs'),
    ['data'],
  )
    .option('--overwrite', 'replace the file if it is there')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: { overwrite?: boolean; json?: boolean }, command: Command) => {
      const { data, database_url } = settingsOf(command)
      if (database_url !== undefined)
        throw new Failure('the database is PostgreSQL: back it up with pg_dump, as described in docs/operations.md')
      const progress = new Progress()
      const onProgress = (done: number, of: number) => progress.show('Backup', done, of)
      const result = await backUp(data, file, { overwrite: flags.overwrite === true, onProgress })
      progress.end()
      if (flags.json) printJson(result)
      else console.log(summaryOf(result))
    })
}

function summaryOf({ file, bytes, tables, files, left_out }: Awaited<ReturnType<typeof backUp>>): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const lines = [
    `Written to ${file}: ${rows} rows in ${Object.keys(tables).length} tables, ${Math.ceil(bytes / 1024)} KiB, read through.`,
    `With ${files.length === 0 ? 'no other files' : files.join(', ')} of the data folder. It holds secrets: keep it like a key.`,
  ]
  if (left_out.length > 0) lines.push(`Too large, and left out: ${left_out.join(', ')}`)
  return lines.join('\n')
}
