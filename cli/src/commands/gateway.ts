import { matches, Name, timestampOf } from '@hypocaust/domain'
import {
  addGateway,
  authorityFingerprint,
  createPairingCode,
  type GatewayFilter,
  type GatewayRow,
  listGateways,
  PAIRING_VALID_S,
  pairingCommand,
  pairingLink,
  removeGateway,
  rotateToken,
  type Settings,
  systemClock,
} from '@hypocaust/service'
import { type Command, Option } from 'commander'
import { isLoopback, serviceAddress } from '../address.ts'
import { addSettingFlags, settingsBesideService, settingsOf, withStore } from '../context.ts'
import { Failure, NotFound, UsageFailure } from '../failure.ts'
import { printJson, printRows } from '../output.ts'
import { qrText } from '../qr.ts'

interface AddFlags {
  building: string
  name: string
  json?: boolean
}

export function gatewayCommands(program: Command): void {
  const gateway = program
    .command('gateway')
    .description('add, list and remove gateways')
    .addHelpText(
      'after',
      '\nOn the machine that is the gateway: run, test, rehearse, discover, read, pair; see hypocaust gateway run --help',
    )

  addSettingFlags(gateway.command('add').description('add a gateway, and print a code to pair it with'), [
    'data',
    'host',
    'port',
  ])
    .requiredOption('--building <ID>', 'the building it stands in; see: hypocaust building list')
    .requiredOption('--name <NAME>', 'what to call it, for instance cellar')
    .option('--json', 'print JSON')
    .action(async (flags: AddFlags, command: Command) => {
      if (!matches(Name('', ''), flags.name))
        throw new UsageFailure('--name must have 1 to 100 characters and no control or invisible characters')
      const added = await withStore(command, async (store, quotas) => {
        const wanted = { buildingId: flags.building, name: flags.name.trim() }
        const result = await addGateway(store, systemClock, wanted, quotas)
        if (result.kind === 'no_building')
          throw new NotFound(`there is no building ${flags.building}. See: hypocaust building list`)
        if (result.kind === 'taken') throw new Failure(`the building already has a gateway called ${flags.name}`)
        return { id: result.id, code: await createPairingCode(store, systemClock, result.id) }
      })
      await printPairing({ ...added, name: flags.name }, settingsBesideService(command), flags)
    })

  addSettingFlags(
    gateway.command('pairing-code <id>').description('print a new code for a gateway that is there already'),
    ['data', 'host', 'port'],
  )
    .option('--json', 'print JSON')
    .action(async (id: string, flags: { json?: boolean }, command: Command) => {
      const { name, code } = await withStore(command, async (store) => {
        const [found] = await listGateways(store, { id })
        if (!found) throw new NotFound(noSuch(id))
        return { name: found.name, code: await createPairingCode(store, systemClock, id) }
      })
      await printPairing({ id, code, name }, settingsBesideService(command), flags)
    })

  addSettingFlags(gateway.command('list').description('list gateways, a page at a time'), ['data'])
    .option('--building <ID>', 'only those of this building')
    .addOption(new Option('--state <STATE>', 'only those that report, have stopped, or never began').choices(STATES))
    .option('--agent-version <VERSION>', 'only those that run this version')
    .option('--seen-before <TIME>', 'only those last seen before, for instance 2026-11-01', momentOf)
    .option('--limit <NUMBER>', `at most so many; ${PAGE} unless given, all with --json`, countOf)
    .option('--after <ID>', 'those after this one, the last of the page before')
    .option('--json', 'print JSON')
    .action(async (flags: ListFlags, command: Command) => {
      const silentSinceMs = systemClock.now() - settingsOf(command).silent_after_s * 1000
      const limit = flags.limit ?? (flags.json ? undefined : PAGE)
      const gateways = await withStore(command, (store) =>
        listGateways(store, filterOf({ ...flags, limit }, silentSinceMs)),
      )
      printRows(gateways.map(rowOf), { json: flags.json, empty: 'There are no such gateways.' })
      if (!flags.json && gateways.length === limit) console.log(`For more: --after ${gateways.at(-1)?.id}`)
    })

  addSettingFlags(gateway.command('remove <id>').description('remove a gateway; its token stops working at once'), [
    'data',
  ])
    .option('--json', 'print JSON')
    .action(async (id: string, flags: { json?: boolean }, command: Command) => {
      if (!(await withStore(command, (store) => removeGateway(store, systemClock, id)))) throw new NotFound(noSuch(id))
      if (flags.json) printJson({ id, removed: true })
      else console.log(`Removed the gateway ${id}`)
    })

  addSettingFlags(
    gateway.command('rotate-token <id>').description('give a gateway a new token; the old one stops working'),
    ['data'],
  )
    .option('--json', 'print JSON')
    .action(async (id: string, flags: { json?: boolean }, command: Command) => {
      const token = await withStore(command, (store) => rotateToken(store, systemClock, id))
      if (token === undefined) throw new NotFound(noSuch(id))
      if (flags.json) printJson({ id, token })
      else console.log(`${token}\nThis token is shown only now; the old one no longer works.`)
    })
}

const STATES = ['available', 'silent', 'unseen'] as const
const PAGE = 100

interface ListFlags {
  building?: string
  state?: (typeof STATES)[number]
  agentVersion?: string
  seenBefore?: number
  limit?: number | undefined
  after?: string
  json?: boolean
}

function filterOf(flags: ListFlags, silentSinceMs: number): GatewayFilter {
  const { building, state, agentVersion, seenBefore, limit, after } = flags
  const before = [...(seenBefore === undefined ? [] : [seenBefore]), ...(state === 'silent' ? [silentSinceMs] : [])]
  return {
    ...(building !== undefined && { buildingId: building }),
    ...(agentVersion !== undefined && { version: agentVersion }),
    ...(state === 'available' && { seenSince: silentSinceMs }),
    ...(before.length > 0 && { seenBefore: Math.min(...before) }),
    ...(state === 'unseen' && { isUnseen: true }),
    ...(limit !== undefined && { limit }),
    ...(after !== undefined && { after }),
  }
}

function momentOf(text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms))
    throw new UsageFailure(`--seen-before ${text} is not a time such as 2026-11-01 or 2026-11-01T08:00Z`)
  return ms
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageFailure(`--limit ${text} must be a whole number from 1`)
  return Number(text)
}

const noSuch = (id: string) => `there is no gateway ${id}. See: hypocaust gateway list`

const rowOf = (gateway: GatewayRow) => ({
  id: gateway.id,
  name: gateway.name,
  building: gateway.building,
  last_seen: gateway.lastSeenAt === null ? null : timestampOf(gateway.lastSeenAt),
  version: gateway.version,
  channels: gateway.channels,
  buffered: gateway.buffered,
})

async function printPairing(
  { id, code, name }: { id: string; code: string; name: string },
  settings: Settings,
  { json }: { json?: boolean },
): Promise<void> {
  const service = serviceAddress(settings)
  const fingerprint = settings.tls_cert ? undefined : authorityFingerprint(settings.data)
  const pairing = { service, code, ...(fingerprint && { authority: fingerprint }) }
  if (json) {
    printJson({ id, expires_in_s: PAIRING_VALID_S, ...pairing })
    return
  }
  const qr = await qrText(pairingLink(pairing))
  console.log(`${qr}
Pairing code for ${name}: ${code}
It works once, within ${PAIRING_VALID_S / 60} minutes. On the gateway:

  ${pairingCommand(pairing)}`)
  if (isLoopback(service))
    console.log(
      '\nThis address is that of this machine itself. For a gateway elsewhere set HYPOCAUST_PUBLIC_URL to the address under which the service is reached.',
    )
}
