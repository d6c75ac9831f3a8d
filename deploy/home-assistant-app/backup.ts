import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runPart } from './parts.ts'
import { BACKUP, SERVICE_DATA } from './setup.ts'

/** `backup_pre` of config.yaml: Home Assistant's backup leaves out the running database and takes this copy. */
export async function beforeBackup(): Promise<number> {
  return (await runPart('backup', BACKUP, '--overwrite', '--data', SERVICE_DATA)).code ?? 1
}

/** `backup_post` of config.yaml. */
export function afterBackup(): number {
  rmSync(BACKUP, { force: true })
  return 0
}

/** After Home Assistant has restored its backup there is the copy, and no database. */
export async function restoreCopy(): Promise<void> {
  if (!existsSync(BACKUP) || existsSync(join(SERVICE_DATA, 'hypocaust.db'))) return
  const { code, complaint } = await runPart('restore', BACKUP, '--data', SERVICE_DATA)
  if (code !== 0) throw new Error(`the backup was not restored: ${complaint}`)
  afterBackup()
}
