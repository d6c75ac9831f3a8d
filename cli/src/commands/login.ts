import { HypocaustClient, type HypocaustError } from '@hypocaust/client'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { addressOf, forgetLogin, writeLogin } from '../holder/login.ts'
import { helpfully } from '../holder/session.ts'
import { readAuthority, trust } from '../holder/trust.ts'
import { firstLineOfStdin, readSecret } from '../input.ts'
import { printJson } from '../output.ts'

export function loginCommands(program: Command): void {
  program
    .command('login <url>')
    .description(
      'remember a service and an API key for rooms, set, off, heat, preset, boost, away, back, energy, explain and programme',
    )
    .option('--ca <FILE>', 'trust this authority too, for instance that of hypocaust tls init')
    .option('--json', 'print JSON')
    .action(async (typed: string, { ca: caFile, json }: { ca?: string; json?: boolean }) => {
      const url = addressOf(typed)
      const ca = caFile === undefined ? undefined : readAuthority(caFile)
      if (ca !== undefined) trust(ca)
      const key = (process.stdin.isTTY ? await readSecret('API key: ') : await firstLineOfStdin()).trim()
      if (key === '') throw new Failure('no key was given. Create one on the account page of the website.')
      const client = new HypocaustClient({ baseUrl: url, apiKey: key, retries: 1 })
      const { permission, name } = await helpfully(url, () => client.getKey().catch(notHere(url)))
      const buildings = await helpfully(url, () => client.listBuildings())
      const file = writeLogin(process.env, { url, key, ...(ca !== undefined && { ca }) })
      const names = buildings.map((building) => building.name)
      if (json) printJson({ url, file, key: name, permission, buildings: names })
      else console.log(greeting(url, name, permission, names, file))
    })

  program
    .command('logout')
    .description('forget the service and the key')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      forgetLogin(process.env)
      if (json) printJson({ loggedIn: false })
      else console.log('Forgotten. The key itself is still valid; revoke it on the account page of the website.')
    })
}

/** The service is there, but not below the path of this address. */
const notHere = (url: string) => (error: HypocaustError) => {
  if (error.code !== 'not_found') throw error
  throw new Failure(`${url} is not the address of the API. Try: hypocaust login ${new URL(url).origin}`)
}

const greeting = (url: string, name: string, permission: string, buildings: string[], file: string): string =>
  [
    `Logged in to ${url} with the key “${name}”, which may ${permission === 'write' ? 'read and write' : 'only read'}.`,
    buildings.length > 0 ? `It opens ${buildings.join(', ')}.` : 'Its account has no buildings yet.',
    `Kept in ${file}, for your eyes only. Next: hypocaust rooms`,
  ].join('\n')
