import type { Explanation, HypocaustClient } from '@hypocaust/client'
import { explainRoom, explanationView, type Store } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, besideOrLoggedIn } from '../context.ts'
import { Failure, UsageFailure } from '../failure.ts'
import { findPlace } from '../holder/session.ts'
import { type NamedRoom, roomOf, roomOfPlace } from '../named-room.ts'
import { printJson } from '../output.ts'

interface Flags {
  at?: string
  building?: string
  json?: boolean
}

interface Explained {
  room: NamedRoom
  explanation: Explanation | null
}

/** Beside the service, or with a login. */
export function explainCommand(program: Command): void {
  addSettingFlags(program.command('explain <room...>').description('explain why a room is heating or not'), ['data'])
    .option('--building <NAME>', 'where more than one building has such a room')
    .option('--at <TIME>', 'at a past moment, as 2026-01-10T08:15; only beside the service')
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: Flags, command: Command) => {
      const name = words.join(' ')
      const { room, explanation } = await besideOrLoggedIn(command, {
        beside: (store) => explainedBeside(store, name, flags),
        loggedIn: (client) => explainedTo(client, name, flags),
      })
      if (!explanation) throw new Failure(`nothing has been decided for ${room.name} yet${flags.at ? ' by then' : ''}`)
      if (flags.json) {
        printJson({ room, ...explanation })
        return
      }
      console.log(`${room.name}, ${explanation.decided_at}\n${explanation.sentence}`)
      for (const line of explanation.details) console.log(`  ${line}`)
    })
}

async function explainedBeside(store: Store, name: string, { at, building }: Flags): Promise<Explained> {
  const atMs = at === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(at)
  if (Number.isNaN(atMs)) throw new UsageFailure(`--at: ${at} is not a time; for example 2026-01-10T08:15`)
  const room = await roomOf(store, name, building)
  const explained = await explainRoom(store, room.id, atMs)
  return { room, explanation: explained ? explanationView(explained) : null }
}

async function explainedTo(client: HypocaustClient, name: string, { at, building }: Flags): Promise<Explained> {
  if (at !== undefined) throw new UsageFailure('--at needs the database of the service: run it there, with --data')
  const place = await findPlace(client, name, building)
  const explanation = await client.getExplanation(place.building.id, place.room.id)
  return { room: roomOfPlace(place), explanation }
}
