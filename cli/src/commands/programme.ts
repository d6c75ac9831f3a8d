import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  changePlan,
  findRooms,
  type Plan,
  parsePlan,
  planOf,
  planText,
  type Store,
  systemClock,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, withStore } from '../context.ts'
import { Failure, NotFound } from '../failure.ts'
import { printJson } from '../output.ts'

interface EditFlags {
  file?: string
  json?: boolean
}

/** The week plan of a room: beside the running service, which follows at once. */
export function programmeCommands(program: Command): void {
  const programme = program.command('programme').description('show and edit the week plan of a room')

  addSettingFlags(programme.command('show <room>').description('show the programme of a room as YAML'), ['data'])
    .option('--json', 'print JSON')
    .action(async (name: string, flags: { json?: boolean }, command: Command) => {
      const { room, plan } = await withStore(command, async (store) => {
        const room = await roomOf(store, name)
        return { room, plan: await planOf(store, room.id) }
      })
      if (flags.json) printJson({ room, ...plan })
      else console.log(planText(room.name, plan).trimEnd())
    })

  addSettingFlags(programme.command('edit <room>').description('edit the programme of a room in an editor'), ['data'])
    .option('--file <FILE>', 'take it from a file instead; - is standard input')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: EditFlags, command: Command) => {
      const { room, plan } = await withStore(command, async (store) => {
        const room = await roomOf(store, name)
        const text =
          flags.file === undefined ? edited(planText(room.name, await planOf(store, room.id))) : read(flags.file)
        const plan = checked(text, flags.file ?? 'the programme')
        await changePlan(store, systemClock, room, plan)
        return { room, plan }
      })
      if (flags.json) printJson({ room, ...plan })
      else console.log(`${room.name}: ${plan.programme || plan.night_mode ? 'programme saved' : 'programme removed'}`)
    })
}

/** By id, or by a name that only one room has. */
export async function roomOf(store: Store, name: string) {
  const [found, ...others] = await findRooms(store, name)
  if (!found) throw new NotFound(`there is no room ${name}`)
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new Failure(`there are several rooms ${name}; name one by its id: ${ids}`)
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${(error as Error).message}`)
  }
}

function checked(text: string, file: string): Plan {
  const parsed = parsePlan(text)
  if (parsed.ok) return parsed.plan
  throw new Failure(
    parsed.problems
      .map(({ line, field, message }) => `${file}:${line}: ${field ? `${field}: ` : ''}${message}`)
      .join('\n'),
  )
}

/** What the person leaves in the editor. */
function edited(text: string): string {
  const editor = process.env.VISUAL ?? process.env.EDITOR ?? 'vi'
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-'))
  const file = join(folder, 'programme.yaml')
  try {
    writeFileSync(file, text)
    const { status, error } = spawnSync(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
    if (error || status !== 0) throw new Failure(`the editor ${editor} failed; nothing was changed`)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
