import type { RoomPatch } from '@hypocaust/client'
import type { Command } from 'commander'
import { UsageFailure } from '../failure.ts'
import { matchName } from '../holder/match.ts'
import { asHolder, findPlace, type Place } from '../holder/session.ts'
import { summary } from '../holder/words.ts'
import { printJson } from '../output.ts'

interface Flags {
  building?: string
  json?: boolean
}

/** Names need no quotes, and may be shortened or slightly misspelt. */
export function setCommands(program: Command): void {
  command(
    program,
    'set <room...>',
    'wish a temperature: hypocaust set bathroom 22.5',
    '<room...> <temperature>',
  ).action((words: string[], flags: Flags) => {
    const target_temperature = temperatureOf(words.at(-1) ?? '')
    return change(words.slice(0, -1), flags, () => ({ target_temperature }))
  })
  command(program, 'off <room...>', 'switch a room off').action((words: string[], flags: Flags) =>
    change(words, flags, () => ({ hvac_mode: 'off' })),
  )
  command(program, 'heat <room...>', 'switch a room on again').action((words: string[], flags: Flags) =>
    change(words, flags, () => ({ hvac_mode: 'heat' })),
  )
  command(
    program,
    'preset <room...>',
    'choose the base warmth of a floor: hypocaust preset bathroom low',
    '<room...> <none|low|medium|high>',
  ).action((words: string[], flags: Flags) =>
    change(words.slice(0, -1), flags, (place) => ({ preset_mode: presetOf(place, words.at(-1) ?? '') })),
  )
}

/** The last of the words is no part of the room: `shown` says what it is. */
const command = (program: Command, usage: string, description: string, shown = '<room...>'): Command =>
  program
    .command(usage)
    .usage(`[options] ${shown}`)
    .description(description)
    .option('--building <NAME>', 'where more than one building has such a room')
    .option('--json', 'print JSON')

async function change(words: string[], flags: Flags, patchFor: (place: Place) => RoomPatch): Promise<void> {
  if (words.length === 0) throw new UsageFailure('name a room, for example: hypocaust set bathroom 22.5')
  const room = await asHolder(async (client) => {
    const place = await findPlace(client, words.join(' '), flags.building)
    return client.patchRoom(place.building.id, place.room.id, patchFor(place))
  })
  if (flags.json) printJson(room)
  else console.log(summary(room))
}

/** `22.5`, and `22,5` or `22.5°C` as people write it. */
function temperatureOf(text: string): number {
  const [, number] = /^(-?\d+(?:[.,]\d+)?)\s*(?:°?\s*c|°)?$/i.exec(text) ?? []
  if (!number) throw new UsageFailure(`${text} is not a temperature; for example: hypocaust set bathroom 22.5`)
  return Number(number.replace(',', '.'))
}

function presetOf({ room }: Place, typed: string): Place['room']['preset_mode'] {
  const match = matchName(room.preset_modes, (mode) => mode, typed)
  if (match.kind === 'one') return match.item
  throw new UsageFailure(`there is no preset “${typed}”. There are: ${room.preset_modes.join(', ')}`)
}
