import { timestampOf } from '@hypocaust/domain'
import {
  actsOf,
  addOperator,
  enrolmentLink,
  listOperators,
  readAuthSecret,
  removeOperator,
  resetOperator,
  systemClock,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf, withStore } from '../context.ts'
import { Failure, NotFound } from '../failure.ts'
import { firstLineOfStdin } from '../input.ts'
import { printJson, printRows } from '../output.ts'
import { qrText } from '../qr.ts'

interface Flags {
  json?: boolean
}

const MOST_ACTS = 1000

export function operatorCommands(program: Command): void {
  const operator = program
    .command('operator')
    .description('add, list and remove the people who may use the operators’ console, and print what they did')

  addSettingFlags(operator.command('add <name>').description('add an operator, and print the second factor'), ['data'])
    .requiredOption('--password-stdin', 'read the password from standard input')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: Flags, command: Command) => {
      const password = await firstLineOfStdin()
      const added = await withStore(command, (store) => addOperator(store, systemClock, name, password))
      if (added.kind === 'refused') throw new Failure(added.why)
      await printEnrolment(command, name, added.enrolment, flags)
    })

  addSettingFlags(
    operator
      .command('reset <name>')
      .description('set a new password and print a new second factor; sessions of the operator end'),
    ['data'],
  )
    .requiredOption('--password-stdin', 'read the new password from standard input')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: Flags, command: Command) => {
      const password = await firstLineOfStdin()
      const reset = await withStore(command, (store) => resetOperator(store, systemClock, name, password))
      if (!reset) throw noSuch(name)
      if (reset.kind === 'refused') throw new Failure(reset.why)
      await printEnrolment(command, name, reset.enrolment, flags)
    })

  addSettingFlags(operator.command('remove <name>').description('remove an operator; sessions end at once'), ['data'])
    .option('--json', 'print JSON')
    .action(async (name: string, flags: Flags, command: Command) => {
      if (!(await withStore(command, (store) => removeOperator(store, systemClock, name)))) throw noSuch(name)
      if (flags.json) printJson({ name, removed: true })
      else console.log(`Removed the operator ${name}`)
    })

  addSettingFlags(operator.command('list').description('list operators'), ['data'])
    .option('--json', 'print JSON')
    .action(async (flags: Flags, command: Command) => {
      const operators = await withStore(command, listOperators)
      const rows = operators.map(({ name, createdAt, signedInAt }) => ({
        name,
        created: timestampOf(createdAt),
        signed_in: signedInAt === null ? null : timestampOf(signedInAt),
      }))
      printRows(rows, { json: flags.json, empty: 'There are no operators. The console opens to nobody.' })
    })

  addSettingFlags(operator.command('log').description(`print the last ${MOST_ACTS} acts of operators`), ['data'])
    .option('--json', 'print JSON')
    .action(async (flags: Flags, command: Command) => {
      const acts = await withStore(command, (store) => actsOf(store, { most: MOST_ACTS }))
      const rows = acts.map(({ actedAt, operator, act, subject, detail }) => ({
        at: timestampOf(actedAt),
        operator: operator || null,
        act,
        subject,
        detail,
      }))
      printRows(rows, { json: flags.json, empty: 'No operator has done anything.' })
    })
}

const noSuch = (name: string) => new NotFound(`there is no operator ${name}. See: hypocaust operator list`)

async function printEnrolment(command: Command, name: string, enrolment: string, { json }: Flags): Promise<void> {
  const { auth_secret, data } = settingsOf(command)
  const link = enrolmentLink(auth_secret ?? readAuthSecret(data), enrolment, name)
  if (json) return printJson({ name, second_factor: link })
  console.log(`${await qrText(link)}\nScan it with an authenticator app; it is shown only now:\n${link}`)
}
