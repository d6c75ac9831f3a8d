import { readFileSync } from 'node:fs'
import { type AppliedHouse, applyHouse, listAllBuildings, parseHouseFile, systemClock } from '@hypocaust/service'
import type { Command } from 'commander'
import { accountOf, addSettingFlags, withStore } from '../context.ts'
import { Failure } from '../failure.ts'
import { printJson, printRows } from '../output.ts'

interface ApplyFlags {
  account: string
  overwriteSettings?: boolean
  prune?: boolean
  json?: boolean
}

export function buildingCommands(program: Command): void {
  const building = program.command('building').description('set up buildings from files, and list them')

  addSettingFlags(building.command('apply <file>').description('create or change a building as a file describes it'), [
    'data',
  ])
    .requiredOption('--account <EMAIL>', 'whose building it is')
    .option('--overwrite-settings', 'also take names, targets and presets of existing rooms from the file')
    .option('--prune', 'delete rooms and gateways the file does not name')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: ApplyFlags, command: Command) => {
      const house = readHouse(file)
      const applied = await withStore(command, async (store, quotas) => {
        const { id } = await accountOf(store, flags.account)
        const { overwriteSettings = false, prune = false } = flags
        return applyHouse(store, systemClock, house, { accountId: id, overwriteSettings, prune }, quotas)
      })
      if (flags.json) printJson(applied)
      else printApplied(applied)
    })

  addSettingFlags(building.command('list').description('list buildings'), ['data'])
    .option('--account <EMAIL>', 'only those of this account')
    .option('--json', 'print JSON')
    .action(async (flags: { account?: string; json?: boolean }, command: Command) => {
      const buildings = await withStore(command, async (store) =>
        listAllBuildings(store, flags.account === undefined ? undefined : (await accountOf(store, flags.account)).id),
      )
      printRows(buildings, { json: flags.json, empty: 'There are no buildings yet.' })
    })
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
