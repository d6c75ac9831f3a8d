import { readFileSync } from 'node:fs'
import { type AppAlert, urgentByBuilding } from '@hypocaust/domain'
import {
  type AppliedHouse,
  applyHouse,
  calendarNetwork,
  endedWithRooms,
  listAllBuildings,
  parseHouseFile,
  type Store,
  standingAlerts,
  systemClock,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { accountOf, addSettingFlags, settingsOf, withStore } from '../context.ts'
import { Failure } from '../failure.ts'
import { printJson, printRows } from '../output.ts'
import { buildingMoveCommand } from './building-move.ts'
import { buildingRestoreCommand } from './building-restore.ts'

interface ApplyFlags {
  account: string
  overwriteSettings?: boolean
  prune?: boolean
  json?: boolean
}

interface ListFlags {
  account?: string
  needsAttention?: boolean
  json?: boolean
}

interface Alerted {
  id: string
  name: string
  alerts: Pick<AppAlert, 'kind' | 'room' | 'since'>[]
}

export function buildingCommands(program: Command): void {
  const building = program
    .command('building')
    .description('set up buildings from files, list them, move one, and bring one back')

  addSettingFlags(building.command('apply <file>').description('create or change a building as a file describes it'), [
    'data',
  ])
    .requiredOption('--account <EMAIL>', 'whose building it is')
    .option('--overwrite-settings', 'also take names, targets and presets of existing rooms from the file')
    .option('--prune', 'delete rooms, gateways and calendars the file does not name')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: ApplyFlags, command: Command) => {
      const house = readHouse(file)
      const applied = await withStore(command, async (store, quotas) => {
        const { id } = await accountOf(store, flags.account)
        const { overwriteSettings = false, prune = false } = flags
        const network = calendarNetwork({ privateAddresses: settingsOf(command).calendar_private_addresses })
        const kept = { overwriteSettings, prune, farewell: endedWithRooms }
        const options = { accountId: id, ...kept, calendarNetwork: network }
        return applyHouse(store, systemClock, house, options, quotas)
      })
      if (flags.json) printJson(applied)
      else printApplied(applied)
    })

  addSettingFlags(building.command('list').description('list buildings'), ['data'])
    .option('--account <EMAIL>', 'only those of this account')
    .option('--needs-attention', 'only those with an alert that needs a person now, and their alerts')
    .option('--json', 'print JSON')
    .action(async (flags: ListFlags, command: Command) => {
      const { needsAttention, account, json } = flags
      const { silent_after_s: silentAfterS } = settingsOf(command, ['needsAttention', 'account', 'json'])
      await withStore(command, async (store) => {
        const accountId = account === undefined ? undefined : (await accountOf(store, account)).id
        const all = await listAllBuildings(store, accountId)
        if (!needsAttention) return printRows(all, { json, empty: 'There are no buildings yet.' })
        const alerted = await withUrgentAlerts(store, all, silentAfterS)
        return json ? printJson(alerted) : printAlerts(alerted)
      })
    })

  buildingRestoreCommand(building)
  buildingMoveCommand(building)
}

/** Those that need a person now, by the same rule as the website. */
async function withUrgentAlerts(
  store: Store,
  buildings: Awaited<ReturnType<typeof listAllBuildings>>,
  silentAfterS: number,
): Promise<Alerted[]> {
  const ids = buildings.map(({ id }) => id)
  const urgent = urgentByBuilding(await standingAlerts(store, ids, { silentAfterS }, systemClock.now()))
  return buildings.flatMap((building) => {
    const own = urgent.get(building.id)
    if (!own) return []
    return [{ ...building, alerts: own.map(({ kind, room, since }) => ({ kind, room, since })) }]
  })
}

function printAlerts(buildings: Alerted[]): void {
  const rows = buildings.map(({ alerts, ...building }) => ({
    ...building,
    alerts: alerts.map(({ kind, room }) => (room === null ? kind : `${kind} (${room})`)).join(', '),
  }))
  printRows(rows, { json: false, empty: 'No building needs attention.' })
}

function readHouse(file: string) {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${(error as Error).message}`)
  }
  const parsed = parseHouseFile(text)
  if (parsed.ok) return parsed.house
  throw new Failure(
    parsed.problems
      .map(({ line, field, message }) => `${file}:${line}: ${field ? `${field}: ` : ''}${message}`)
      .join('\n'),
  )
}

function printApplied({ building, rooms, gateways }: AppliedHouse): void {
  console.log(`Building ${building.name}  ${building.id}`)
  for (const room of rooms) console.log(`  room ${room.name}  ${room.id}`)
  for (const { id, name, token } of gateways) {
    console.log(`  gateway ${name}  ${id}${token ? `\n    token, shown only now: ${token}` : ''}`)
  }
}
