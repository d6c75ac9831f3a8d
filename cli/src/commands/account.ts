import { createAccount, listAccounts } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, withStore } from '../context.ts'
import { Failure } from '../failure.ts'
import { firstLineOfStdin } from '../input.ts'
import { printJson, printRows } from '../output.ts'

export function accountCommands(program: Command): void {
  const account = program.command('account').description('create and list accounts')

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

  addSettingFlags(account.command('list').description('list all accounts'), ['data'])
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const accounts = await withStore(command, listAccounts)
      printRows(accounts, { json: options.json, empty: 'There are no accounts yet.' })
    })
}
