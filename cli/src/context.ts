import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { HypocaustClient } from '@hypocaust/client'
import {
  type Account,
  findAccount,
  isGiven,
  openStore,
  type Quotas,
  readSettings,
  SETTINGS,
  type SettingName,
  type Settings,
  type Store,
} from '@hypocaust/service'
import { type Command, Option } from 'commander'
import { Failure, NotFound } from './failure.ts'
import { loginFile } from './holder/login.ts'
import { asHolder } from './holder/session.ts'
import { notedListening } from './listening.ts'

interface SettingSchema {
  description?: string
  default?: unknown
  type?: string
}

/** Flags of a command that stand for settings of the same name. */
export function addSettingFlags(command: Command, names: SettingName[]): Command {
  for (const name of names) {
    const { description, default: value, type } = SETTINGS[name] as SettingSchema
    const flag = `--${name.replaceAll('_', '-')}`
    // A switch that is either on or off needs no value.
    if (type === 'boolean') {
      command.addOption(new Option(flag, description))
      continue
    }
    const shown = value === undefined ? '' : ` (default: ${value})`
    const placeholder =
      name === 'data' ? 'DIR' : name.startsWith('tls_') ? 'FILE' : name.split('_').at(-1)?.toUpperCase()
    command.addOption(new Option(`${flag} <${placeholder}>`, `${description}${shown}`))
  }
  return command
}

/** Commander's camelCase option names back to those of the settings. A command's own flags are left out by name. */
export function settingsOf(command: Command, ownFlags: string[] = []): Settings {
  const flags = Object.entries(command.optsWithGlobals())
    .filter(([name]) => !ownFlags.includes(name))
    .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value])
  return readSettings(Object.fromEntries(flags), process.env)
}

/** With the address of the service itself, unless the command or its environment names another. */
export function settingsBesideService(command: Command): Settings {
  const settings = settingsOf(command)
  const noted = Object.entries(notedListening(settings.data)).filter(
    ([name]) => !isGiven(name as SettingName, command.optsWithGlobals(), process.env),
  )
  return { ...settings, ...Object.fromEntries(noted) }
}

/** Work on the database beside whatever else has it open, within the quotas set, and close it again. */
export async function withStore<T>(command: Command, work: (store: Store, quotas: Quotas) => Promise<T>): Promise<T> {
  const settings = settingsOf(command)
  refuseWithoutDatabase(command, settings)
  const store = await openStore(settings.data, settings.database_url)
  try {
    return await work(store, settings)
  } finally {
    await store.close()
  }
}

/**
 * A command that was started without the settings of the service must not work on a new, empty database beside the real
 * one. `serve` creates one, and so does a folder that is named.
 */
function refuseWithoutDatabase(command: Command, settings: Settings): void {
  if (hasDatabase(command, settings)) return
  throw new Failure(
    `there is no database in ${resolve(settings.data)}. Name the data folder of the service with --data, or give this command the service's settings (HYPOCAUST_DATABASE_URL or HYPOCAUST_DATA, for instance from /etc/hypocaust/hypocaust.env).`,
  )
}

function hasDatabase(command: Command, settings: Settings): boolean {
  const isChosen = (['data', 'database_url'] as const).some((name) =>
    isGiven(name, command.optsWithGlobals(), process.env),
  )
  return isChosen || existsSync(join(resolve(settings.data), 'hypocaust.db'))
}

interface TwoWays<T> {
  beside(store: Store): Promise<T>
  loggedIn(client: HypocaustClient): Promise<T>
}

/** On the database where the command has one, else through the service that was logged in to. */
export function besideOrLoggedIn<T>(command: Command, { beside, loggedIn }: TwoWays<T>): Promise<T> {
  if (hasDatabase(command, settingsOf(command))) return withStore(command, beside)
  if (existsSync(loginFile(process.env))) return asHolder(loggedIn)
  throw new Failure('log in first: hypocaust login URL. Beside the service, name its data folder with --data instead.')
}

export async function accountOf(store: Store, email: string): Promise<Account> {
  const account = await findAccount(store, email)
  if (!account) throw new NotFound(`there is no account ${email}. Create it with: hypocaust account create ${email}`)
  return account
}
