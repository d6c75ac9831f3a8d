import {
  type Account,
  findAccount,
  openStore,
  readSettings,
  SETTINGS,
  type SettingName,
  type Settings,
  type Store,
} from '@hypocaust/service'
import { type Command, Option } from 'commander'
import { Failure } from './failure.ts'

interface SettingSchema {
  description?: string
  default?: unknown
  maximum?: number
}

/** Flags of a command that stand for settings of the same name. */
export function addSettingFlags(command: Command, names: SettingName[]): Command {
  for (const name of names) {
    const { description, default: value, maximum } = SETTINGS[name] as SettingSchema
    const flag = `--${name.replaceAll('_', '-')}`
    // A switch that is either on or off needs no value.
    if (maximum === 1) {
      command.addOption(new Option(flag, description).preset(1))
      continue
    }
    const shown = value === undefined ? '' : ` (default: ${value})`
    const placeholder =
      name === 'data' ? 'DIR' : name.startsWith('tls_') ? 'FILE' : name.split('_').at(-1)?.toUpperCase()
    command.addOption(new Option(`${flag} <${placeholder}>`, `${description}${shown}`))
  }
  return command
}

/** Commander's camelCase option names back to those of the settings. */
export function settingsOf(command: Command): Settings {
  const flags = Object.entries(command.optsWithGlobals()).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return readSettings(Object.fromEntries(flags), process.env)
}

/** Work on the database beside whatever else has it open, and close it again. */
export async function withStore<T>(command: Command, work: (store: Store) => Promise<T>): Promise<T> {
  const { data, database_url } = settingsOf(command)
  const store = await openStore(data, database_url)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

export async function accountOf(store: Store, email: string): Promise<Account> {
  const account = await findAccount(store, email)
  if (!account) throw new Failure(`there is no account ${email}. Create it with: hypocaust account create ${email}`)
  return account
}
