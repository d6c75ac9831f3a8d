import { HOUR_MS, matches, Name, PERMISSIONS, type Permission, timestampOf } from '@hypocaust/domain'
import { type ApiKey, createKey, listKeys, revokeKey, systemClock } from '@hypocaust/service'
import { type Command, Option } from 'commander'
import { accountOf, addSettingFlags, withStore } from '../context.ts'
import { NotFound, UsageFailure } from '../failure.ts'
import { printJson, printRows } from '../output.ts'

interface CreateFlags {
  account: string
  name: string
  permission: Permission
  expires?: string
  building?: string[]
  control?: boolean
  json?: boolean
}

export function keyCommands(program: Command): void {
  const key = program.command('key').description('create, list and revoke API keys')

  addSettingFlags(key.command('create').description('create an API key; its value is shown once'), ['data'])
    .requiredOption('--account <EMAIL>', 'whose buildings it opens')
    .requiredOption('--name <NAME>', 'what it is for')
    .addOption(
      new Option('--permission <PERMISSION>', 'write can change settings, also switch the heating off')
        .choices(PERMISSIONS)
        .makeOptionMandatory(),
    )
    .option('--expires <SPAN>', 'stop working after this time, for instance 12h, 90d, 8w or 1y')
    .option('--building <ID...>', 'reach only these buildings; see: hypocaust building list')
    .option('--control', 'also open the settings of the heating control (/control/v1): programmes and comfort')
    .option('--json', 'print JSON')
    .action(async (flags: CreateFlags, command: Command) => {
      if (!matches(Name('', ''), flags.name))
        throw new UsageFailure('--name must have 1 to 100 characters and no control or invisible characters')
      const expiresAt = flags.expires === undefined ? null : systemClock.now() + spanMs(flags.expires)
      const { id, value } = await withStore(command, async (store, quotas) => {
        const accountId = (await accountOf(store, flags.account)).id
        const { permission, building: buildingIds, control } = flags
        const key = { accountId, name: flags.name.trim(), permission, expiresAt, buildingIds, control }
        return createKey(store, systemClock, key, quotas)
      })
      if (flags.json) printJson({ id, key: value, permission: flags.permission })
      else console.log(`${value}\nThis value is shown only now. Revoke the key with: hypocaust key revoke ${id}`)
    })

  addSettingFlags(key.command('list').description('list the API keys of an account'), ['data'])
    .requiredOption('--account <EMAIL>', 'whose keys')
    .option('--json', 'print JSON')
    .action(async (flags: { account: string; json?: boolean }, command: Command) => {
      const keys = await withStore(command, async (store) =>
        listKeys(store, (await accountOf(store, flags.account)).id),
      )
      printRows(keys.map(rowOf), { json: flags.json, empty: 'There are no keys yet.' })
    })

  addSettingFlags(key.command('revoke <id>').description('make an API key useless, at once and for ever'), ['data'])
    .option('--account <EMAIL>', 'only if it is a key of this account')
    .option('--json', 'print JSON')
    .action(async (id: string, flags: { account?: string; json?: boolean }, command: Command) => {
      const isRevoked = await withStore(command, async (store) => {
        const accountId = flags.account === undefined ? undefined : (await accountOf(store, flags.account)).id
        return revokeKey(store, systemClock, { id, ...(accountId !== undefined && { accountId }) })
      })
      if (!isRevoked) throw new NotFound(`there is no key ${id}. List them with: hypocaust key list --account EMAIL`)
      if (flags.json) printJson({ id, revoked: true })
      else console.log(`Revoked the key ${id}`)
    })
}

const rowOf = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  hint: key.hint,
  permission: key.permission,
  control: key.control === 1,
  buildings: key.buildings === null ? null : (JSON.parse(key.buildings) as string[]).join(' '),
  created_at: timestampOf(key.createdAt),
  last_used_at: timeOrNull(key.lastUsedAt),
  expires_at: timeOrNull(key.expiresAt),
  revoked_at: timeOrNull(key.revokedAt),
})

const timeOrNull = (epochMs: number | null) => (epochMs === null ? null : timestampOf(epochMs))

const UNIT_MS: Record<string, number> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS, y: 365 * 24 * HOUR_MS }

function spanMs(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([hdwy])$/.exec(text) ?? []
  if (!count || !unit) throw new UsageFailure(`--expires: ${text} is not a time span; for example 12h, 90d, 8w or 1y`)
  return Number(count) * (UNIT_MS[unit] ?? 0)
}
