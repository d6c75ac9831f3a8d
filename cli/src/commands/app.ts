import { matches, Name, timestampOf } from '@hypocaust/domain'
import { addClient, listClients, type OauthClient, removeClient, systemClock } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, withStore } from '../context.ts'
import { NotFound, UsageFailure } from '../failure.ts'
import { printJson, printRows } from '../output.ts'

export function appCommands(program: Command): void {
  const app = program.command('app').description('register apps of third parties that people may connect (OAuth)')

  addSettingFlags(app.command('add <name>').description('register an app; people see its name when they connect it'), [
    'data',
  ])
    .option('--redirect-uri <URI...>', 'where people are sent back to; none for a device without a browser')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: { redirectUri?: string[]; json?: boolean }, command: Command) => {
      if (!matches(Name('', ''), name))
        throw new UsageFailure('the name must have 1 to 100 characters and no control or invisible characters')
      const { redirectUri: redirectUris = [] } = flags
      const added = await withStore(command, (store) =>
        addClient(store, { name: name.trim(), redirectUris, isSelfRegistered: false }, systemClock.now()),
      )
      if (flags.json) printJson(rowOf(added))
      else console.log(`Registered the app ${added.name}. Its client_id is ${added.id}; it has no secret.`)
    })

  addSettingFlags(app.command('list').description('list the apps that people may connect'), ['data'])
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }, command: Command) => {
      const clients = await withStore(command, listClients)
      printRows(clients.map(rowOf), { json: flags.json, empty: 'No app is registered.' })
    })

  addSettingFlags(app.command('remove <id>').description('remove an app; all access that it was granted ends'), [
    'data',
  ])
    .option('--json', 'print JSON')
    .action(async (id: string, flags: { json?: boolean }, command: Command) => {
      const isRemoved = await withStore(command, (store) => removeClient(store, id))
      if (!isRemoved) throw new NotFound(`there is no app ${id}. List them with: hypocaust app list`)
      if (flags.json) printJson({ id, removed: true })
      else console.log(`Removed the app ${id}`)
    })
}

const rowOf = ({ id, name, redirectUris, isSelfRegistered, createdAt }: OauthClient) => ({
  client_id: id,
  name,
  redirect_uris: redirectUris.join(' '),
  registered_by: isSelfRegistered ? 'itself' : 'operator',
  created_at: timestampOf(createdAt),
})
