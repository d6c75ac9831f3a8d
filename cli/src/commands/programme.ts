import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HypocaustClient } from '@hypocaust/client'
import { programmeOfNight } from '@hypocaust/domain'
import { changePlan, type Plan, parsePlan, planOf, planText, type Store, systemClock } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, besideOrLoggedIn } from '../context.ts'
import { Failure } from '../failure.ts'
import { findPlace, type Place } from '../holder/session.ts'
import { type NamedRoom, roomOf, roomOfPlace } from '../named-room.ts'
import { printJson } from '../output.ts'

interface Flags {
  building?: string
  file?: string
  json?: boolean
}

interface Planned {
  room: NamedRoom
  plan: Plan
}

/** The week plan of a room: beside the running service, which follows at once, or with a login. */
export function programmeCommands(program: Command): void {
  const programme = program.command('programme').description('show and edit the week plan of a room')

  shared(programme.command('show <room...>'), 'show the programme of a room as YAML').action(
    async (words: string[], flags: Flags, command: Command) => {
      const name = words.join(' ')
      const { room, plan } = await besideOrLoggedIn(command, {
        beside: (store) => storedPlan(store, name, flags),
        loggedIn: async (client) => {
          const place = await findPlace(client, name, flags.building)
          return { room: roomOfPlace(place), plan: await servedPlan(client, place) }
        },
      })
      if (flags.json) printJson({ room, ...plan })
      else console.log(planText(room.name, plan).trimEnd())
    },
  )

  shared(programme.command('edit <room...>'), 'edit the programme of a room in an editor')
    .option('--file <FILE>', 'take it from a file instead; - is standard input')
    .action(async (words: string[], flags: Flags, command: Command) => {
      const name = words.join(' ')
      const { room, plan } = await besideOrLoggedIn(command, {
        beside: (store) => editBeside(store, name, flags),
        loggedIn: (client) => editServed(client, name, flags),
      })
      if (flags.json) printJson({ room, ...plan })
      else console.log(`${room.name}: ${plan.programme || plan.night_mode ? 'programme saved' : 'programme removed'}`)
    })
}

const shared = (command: Command, description: string): Command =>
  addSettingFlags(command.description(description), ['data'])
    .option('--building <NAME>', 'where more than one building has such a room')
    .option('--json', 'print JSON')

async function storedPlan(store: Store, name: string, { building }: Flags): Promise<Planned> {
  const room = await roomOf(store, name, building)
  return { room, plan: await planOf(store, room.id) }
}

async function editBeside(store: Store, name: string, flags: Flags): Promise<Planned> {
  const { room, plan: before } = await storedPlan(store, name, flags)
  const plan = wantedPlan(room, before, flags)
  await changePlan(store, systemClock, room, plan)
  return { room, plan }
}

async function servedPlan(client: HypocaustClient, { building, room }: Place): Promise<Plan> {
  return { programme: await client.getProgramme(building.id, room.id), night_mode: null }
}

/** What was changed meanwhile by another is kept. The service knows a night mode as the programme that it is. */
async function editServed(client: HypocaustClient, name: string, flags: Flags): Promise<Planned> {
  const place = await findPlace(client, name, flags.building)
  const ids = [place.building.id, place.room.id] as const
  const room = roomOfPlace(place)
  const { programme, night_mode } = wantedPlan(room, await servedPlan(client, place), flags)
  const wanted = programme ?? (night_mode && programmeOfNight(night_mode))
  const options = { ifUnchanged: true }
  if (wanted === null) await client.deleteProgramme(...ids, options)
  const saved = wanted && (await client.putProgramme(...ids, wanted, options))
  return { room, plan: { programme: saved, night_mode: null } }
}

const wantedPlan = ({ name }: NamedRoom, before: Plan, { file }: Flags): Plan =>
  file === undefined ? checked(edited(planText(name, before)), 'the programme') : checked(read(file), file)

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
