import type { HypocaustClient, Presence } from '@hypocaust/client'
import type { Command } from 'commander'
import { UsageFailure } from '../failure.ts'
import { aboutHouse, type HouseFlags } from '../holder/house-command.ts'
import { asHolder, chosenBuildings } from '../holder/session.ts'
import { presenceText } from '../holder/words.ts'
import { printJson } from '../output.ts'

const REPORTS: Record<string, boolean | null> = { home: true, away: false, forget: null }

/** Who is home: shown, and reported from scripts of routers and phones. */
export function presenceCommand(program: Command): void {
  aboutHouse(
    program.command('presence [person] [state]'),
    'who is home; or report it: hypocaust presence Anna away, then home; forget removes a person',
  ).action(presence)
}

async function presence(person: string | undefined, state: string | undefined, flags: HouseFlags): Promise<void> {
  const home = REPORTS[state ?? '']
  if (person !== undefined && home === undefined)
    throw new UsageFailure(`say where ${person} is: home, away, or forget to remove the name`)
  const work = (client: HypocaustClient, id: string): Promise<Presence> =>
    person === undefined || home === undefined
      ? client.getPresence(id)
      : client.putPresence(id, [{ name: person, home }])
  const shown = await asHolder(async (client) => {
    const buildings = await chosenBuildings(client, flags.building)
    return Promise.all(
      buildings.map(async ({ id, name }) => ({ building: { id, name }, presence: await work(client, id) })),
    )
  })
  if (flags.json) printJson(shown)
  else for (const { building, presence } of shown) console.log(presenceText(building.name, presence))
}
