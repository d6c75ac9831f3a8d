import { type MovedBuilding, moveBuilding, systemClock, undoMove } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { Failure, UsageFailure } from '../failure.ts'
import { printJson } from '../output.ts'

interface Flags {
  to: string
  url?: string
  broker?: string
  undo?: boolean
  json?: boolean
}

export function buildingMoveCommand(building: Command): void {
  addSettingFlags(
    building
      .command('move <building>')
      .description(
        'move one building to the PostgreSQL database of another service, while both run; named by its id or name',
      ),
    ['database_url'],
  )
    .requiredOption('--to <DATABASE>', 'postgres:// address of the database that it moves to')
    .option('--url <URL>', 'address of the service on that database, which API clients are sent to')
    .option('--broker <URL>', 'its broker, which gateways are sent to; left out, both services share one')
    .option('--undo', 'take back a move that was interrupted, as long as the building has not arrived')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: Flags, command: Command) => {
      const { database_url: from } = settingsOf(command, ['to', 'url', 'broker', 'undo', 'json'])
      if (from === undefined)
        throw new Failure(
          'a building moves between two PostgreSQL databases: give --database-url or HYPOCAUST_DATABASE_URL',
        )
      const wanted = { building: name, from, to: checked('--to', flags.to, /^postgres(ql)?:\/\/\S+$/) }
      if (flags.undo) {
        const { id } = await undoMove(wanted)
        return flags.json ? printJson({ id }) : console.log(`The building ${id} stays where it is.`)
      }
      const show = (step: string) => console.error(step)
      const moved = await moveBuilding(wanted, addressIn(flags), systemClock, flags.json ? undefined : show)
      if (flags.json) printJson(moved)
      else console.log(summaryOf(moved))
    })
}

function addressIn({ url, broker }: Flags) {
  if (url === undefined) throw new UsageFailure('--url: name the address of the service that the building moves to')
  return {
    url: checked('--url', url, /^https?:\/\/[^\s?#@]+$/).replace(/\/+$/, ''),
    brokerUrl: broker === undefined ? null : checked('--broker', broker, /^(mqtts?|wss?):\/\/[^\s@]+$/),
  }
}

function checked(flag: string, value: string, form: RegExp): string {
  if (!form.test(value)) throw new UsageFailure(`${flag}: ${value} is no such address`)
  return value
}

function summaryOf({ id, pause_ms, accounts_added, apps, webhooks }: MovedBuilding): string {
  const pause = pause_ms === null ? '' : ` Its settings could not be changed for ${pause_ms} ms.`
  const lines = [
    `Moved ${id}.${pause}`,
    ...(accounts_added.length > 0 ? [`New accounts there: ${accounts_added.join(', ')}.`] : []),
    ...(apps > 0 ? [`Apps to be connected anew: ${apps}.`] : []),
    ...(webhooks > 0 ? [`Webhooks to be created anew: ${webhooks}.`] : []),
  ]
  return lines.join('\n')
}
