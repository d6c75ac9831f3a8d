import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  accountFiles,
  createAccount,
  listAccounts,
  removeAccount,
  resetPassword,
  systemClock,
  zipped,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { accountOf, addSettingFlags, settingsOf, withStore } from '../context.ts'
import { Failure, NotFound } from '../failure.ts'
import { firstLineOfStdin, isConfirmed } from '../input.ts'
import { printJson, printRows } from '../output.ts'

export function accountCommands(program: Command): void {
  const account = program.command('account').description('create, list, export and remove accounts, reset a password')

  addSettingFlags(account.command('create <email>').description('create an account'), ['data'])
    .requiredOption('--password-stdin', 'read the password from standard input')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: boolean }, command: Command) => {
      const password = await firstLineOfStdin()
      const result = await withStore(command, (store) => createAccount(store, email, password))
      if (result.kind === 'taken') throw new Failure(`there is already an account ${email}`)
      if (result.kind === 'refused') throw new Failure(result.why)
      if (options.json) printJson(result.account)
      else console.log(`Created the account ${result.account.email}`)
    })

  addSettingFlags(
    account
      .command('reset-password <email>')
      .description('set a new password; sessions end, passkeys and the second factor are removed'),
    ['data'],
  )
    .requiredOption('--password-stdin', 'read the new password from standard input')
    .option(
      '--revoke-keys',
      'revoke the API keys of the account, end the access of connected apps and remove its webhooks too',
    )
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: boolean; revokeKeys?: boolean }, command: Command) => {
      const password = await firstLineOfStdin()
      const revokeKeys = options.revokeKeys === true
      const result = await withStore(command, (store) =>
        resetPassword(store, systemClock, email, password, { revokeKeys }),
      )
      if (result.kind === 'no_account') throw new NotFound(`there is no account ${email}. See: hypocaust account list`)
      if (result.kind === 'refused') throw new Failure(result.why)
      const { keysRevoked, keysLeft, webhooksRemoved } = result
      if (options.json)
        return printJson({
          email,
          reset: true,
          keys_revoked: keysRevoked,
          keys_left: keysLeft,
          webhooks_removed: webhooksRemoved,
        })
      console.log(
        `The password of ${email} is changed. Sessions have ended, passkeys and the second factor are removed.`,
      )
      if (keysRevoked > 0) console.log(`${keysRevoked} API keys and connected apps are revoked.`)
      if (webhooksRemoved > 0) console.log(`${webhooksRemoved} webhooks are removed.`)
      if (keysLeft > 0)
        console.log(
          `${keysLeft} API keys and connected apps still open the account. Revoke them with --revoke-keys, or see: hypocaust key list`,
        )
    })

  addSettingFlags(
    account
      .command('remove <email>')
      .description('remove an account with its keys and the buildings that have no other owner'),
    ['data'],
  )
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { yes?: boolean; json?: boolean }, command: Command) => {
      const found = await withStore(command, (store) => accountOf(store, email))
      const question = `Remove ${found.email}, its keys, and the buildings that have no other owner with their history?`
      if (!options.yes && !(await isConfirmed(question))) throw new Failure('nothing is removed without --yes')
      const removed = await withStore(command, (store) => removeAccount(store, systemClock, found))
      const { buildingsRemoved, buildingsLeft } = removed
      if (options.json)
        return printJson({ email: found.email, buildings_removed: buildingsRemoved, buildings_left: buildingsLeft })
      console.log(`Removed the account ${found.email} and ${buildingsRemoved} buildings.`)
      if (buildingsLeft > 0) console.log(`${buildingsLeft} buildings go on with their other members.`)
    })

  addSettingFlags(
    account
      .command('export <email> <file>')
      .description('write everything of an account, with the buildings it owns, to a zip file'),
    ['data'],
  )
    .option('--json', 'print JSON')
    .action(async (email: string, file: string, options: { json?: boolean }, command: Command) => {
      const availability = { silentAfterS: settingsOf(command).silent_after_s }
      const path = resolve(file)
      await withStore(command, async (store) => {
        const found = await accountOf(store, email)
        const files = accountFiles({ store, clock: systemClock, availability }, found)
        await pipeline(zipped(files), createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(notWritten)
      })
      const { size: bytes } = await stat(path)
      if (options.json) printJson({ email, file: path, bytes })
      else console.log(`Wrote everything of ${email} to ${path} (${bytes} bytes). Only you can read it.`)
    })

  addSettingFlags(account.command('list').description('list all accounts'), ['data'])
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const accounts = await withStore(command, listAccounts)
      printRows(accounts, { json: options.json, empty: 'There are no accounts yet.' })
    })
}

function notWritten(error: NodeJS.ErrnoException): never {
  if (error.code === 'EEXIST') throw new Failure(`${error.path} is there already; name another file`)
  if (error.code === 'ENOENT') throw new Failure(`${error.path}: there is no such folder`)
  throw error
}
