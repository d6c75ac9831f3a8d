import { type CopyProgress, copyStore, type VerifiedTable } from '@hypocaust/service'
import type { Command } from 'commander'
import { Failure, UsageFailure } from '../failure.ts'
import { printJson, printRows } from '../output.ts'
import { Progress } from '../progress.ts'

export function migrateStoreCommand(program: Command): void {
  program
    .command('migrate-store')
    .description('copy everything from SQLite into an empty PostgreSQL database, and compare both')
    .requiredOption('--from <sqlite:PATH>', 'data folder or database file; the service must be stopped')
    .requiredOption('--to <URL>', 'the empty database, as postgres://user:password@host/name')
    .option('--json', 'print JSON')
    .action(async ({ from, to, json }: { from: string; to: string; json?: boolean }) => {
      if (!/^postgres(ql)?:\/\//.test(to)) throw new UsageFailure(`--to: ${to} is not a postgres:// address`)
      if (/^[a-z]+:\/\/(?!\/)/.test(from))
        throw new UsageFailure(`--from: ${from} is not a SQLite database: sqlite:PATH`)
      const progress = new Progress()
      const show = ({ step, table, done, of }: CopyProgress) =>
        progress.show(step === 'copy' ? `Copying ${table}` : 'Comparing', done, of)
      const tables = await copyStore(from, to, show)
      progress.end()
      if (json) printJson(tables)
      else tell(tables)
      const different = tables.filter(({ same }) => !same).map(({ table }) => table)
      if (different.length > 0)
        throw new Failure(
          `not the same on both sides: ${different.join(', ')}. The source has changed since the copy began: empty the target and start again.`,
        )
    })
}

function tell(tables: VerifiedTable[]): void {
  printRows(
    tables.map(({ table, rows, target_rows, checksum, same }) => ({
      table,
      rows,
      copied: target_rows,
      checksum: checksum.slice(0, 16),
      same: same ? 'yes' : 'NO',
    })),
    { json: false, empty: '' },
  )
  if (tables.every(({ same }) => same))
    console.log(
      '\nAll is copied. Start the service with HYPOCAUST_DATABASE_URL and the same data folder or auth secret.',
    )
}
