import {
  initLocalTls,
  inUrl,
  type LocalTls,
  normalName,
  readLocalTls,
  type Settings,
  systemClock,
  thisMachine,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { addressOutside } from '../address.ts'
import { addSettingFlags, settingsOf } from '../context.ts'
import { NotFound, UsageFailure } from '../failure.ts'
import { printJson } from '../output.ts'
import { qrText } from '../qr.ts'

export function tlsCommands(program: Command): void {
  const tls = program.command('tls').description('serve over HTTPS at home, with an authority of one’s own')

  addSettingFlags(
    tls
      .command('init')
      .description('make the authority, once, and a certificate for this machine’s names and addresses'),
    ['data', 'host', 'port'],
  )
    .option('--name <NAME...>', 'more names or addresses by which the machine is reached')
    .option('--json', 'print JSON')
    .action(async (flags: { name?: string[]; json?: boolean }, command: Command) => {
      const settings = settingsOf(command)
      const surroundings = { machine: thisMachine(), nowMs: systemClock.now() }
      const { isNew, ...local } = await initLocalTls(settings.data, surroundings, flags.name?.map(nameOf))
      if (flags.json) return printJson({ ...dataOf(local, settings), authority_is_new: isNew })
      console.log(`${isNew ? 'Created the authority' : 'Kept the authority'} and issued a new certificate.`)
      await print(local, settings)
      console.log(NEXT)
    })

  addSettingFlags(tls.command('show').description('show the authority, and how to install it on a phone'), [
    'data',
    'host',
    'port',
  ])
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }, command: Command) => {
      const settings = settingsOf(command)
      const local = readLocalTls(settings.data)
      if (!local) throw new NotFound(`there is no authority in ${settings.data}. Make one with: hypocaust tls init`)
      if (flags.json) printJson(dataOf(local, settings))
      else await print(local, settings)
    })
}

function nameOf(text: string): string {
  const name = normalName(text)
  if (name === undefined) throw new UsageFailure(`--name: ${text} is neither a host name nor an address`)
  return name
}

const dataOf = ({ authority, names, endsMs }: LocalTls, { port }: Settings) => ({
  authority_file: authority.file,
  authority_sha256: authority.fingerprint,
  authority_ends: new Date(authority.endsMs).toISOString(),
  certificate_names: names,
  certificate_ends: new Date(endsMs).toISOString(),
  phone_url: phoneUrl(names, port),
})

/** Plain HTTP, on the same port: a phone that does not know the authority could open nothing else. */
function phoneUrl(names: string[], port: number): string {
  const outside = addressOutside()
  const host = outside && names.includes(outside) ? outside : (names[0] ?? 'localhost')
  return `http://${inUrl(host)}:${port}/authority`
}

async function print({ authority, names, endsMs }: LocalTls, { host, port }: Settings): Promise<void> {
  const url = phoneUrl(names, port)
  const isClosed = host === 'localhost' || host === '::1' || host.startsWith('127.')
  console.log(`
Authority    ${authority.file}, until ${dayOf(authority.endsMs)}
SHA-256      ${authority.fingerprint}
Certificate  until ${dayOf(endsMs)}, renewed by itself; for
             ${names.join(', ')}

${await qrText(url)}
A phone takes the authority at ${url}
while the service runs. Compare the SHA-256 shown there with the one above.${isClosed ? CLOSED : ''}`)
}

const CLOSED = '\nUntil now the service can be reached from this machine only: start it with --host 0.0.0.0'

const NEXT = `
Start the service anew: hypocaust serve --host 0.0.0.0
Website, API and gateways are then reached over TLS. A gateway that was paired before has to be paired again;
hypocaust gateway pairing-code ID prints how.`

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
