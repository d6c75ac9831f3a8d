import type { OverridePut, RoomPatch } from '@hypocaust/client'
import type { Command } from 'commander'
import { UsageFailure } from '../failure.ts'
import { changed } from '../holder/changed.ts'
import { matchName } from '../holder/match.ts'
import { momentFrom } from '../holder/moment.ts'
import { asHolder, findPlace, type Place } from '../holder/session.ts'
import { overrideText, summary } from '../holder/words.ts'
import { printJson } from '../output.ts'

interface Flags {
  building?: string
  until?: string
  json?: boolean
}

const UNTIL = 'only until then: 23:00, 2026-12-24T18:00, or 2h from now'

/** Names need no quotes, and may be shortened or slightly misspelt. */
export function setCommands(program: Command): void {
  command(
    program,
    'set <room...>',
    'set the target temperature: hypocaust set bathroom 22.5',
    '<room...> <temperature>',
  )
    .option('--until <TIME>', UNTIL)
    .action((words: string[], flags: Flags) => {
      const target_temperature = temperatureOf(words.at(-1) ?? '')
      const room = words.slice(0, -1)
      if (flags.until === undefined) return change(room, flags, () => ({ target_temperature }))
      return override(room, flags, { target_temperature, until: momentFrom(flags.until, Date.now()) })
    })
  command(program, 'off <room...>', 'switch a room off')
    .option('--until <TIME>', UNTIL)
    .action((words: string[], flags: Flags) => {
      if (flags.until === undefined) return change(words, flags, () => ({ hvac_mode: 'off' }))
      return override(words, flags, { hvac_mode: 'off', until: momentFrom(flags.until, Date.now()) })
    })
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
    return changed(client, place, patchFor(place))
  })
  if (flags.json) printJson(room)
  else console.log(summary(room))
}

async function override(words: string[], flags: Flags, put: OverridePut): Promise<void> {
  if (words.length === 0) throw new UsageFailure('name a room, for example: hypocaust set bathroom 22.5 --until 23:00')
  const { room, set } = await asHolder(async (client) => {
    const { building, room } = await findPlace(client, words.join(' '), flags.building)
    return { room, set: await client.putOverride(building.id, room.id, put) }
  })
  if (flags.json) printJson({ room: { id: room.id, name: room.name }, override: set })
  else console.log(overrideText(room.name, set))
}

/** `22.5`, and `22,5` or `22.5°C` as people write it. */
export function temperatureOf(text: string): number {
  const [, number] = /^(-?\d+(?:[.,]\d+)?)\s*(?:°?\s*c|°)?$/i.exec(text) ?? []
  if (!number) throw new UsageFailure(`${text} is not a temperature; for example: hypocaust set bathroom 22.5`)
  return Number(number.replace(',', '.'))
}

function presetOf({ room }: Place, typed: string): Place['room']['preset_mode'] {
  const match = matchName(room.preset_modes, (mode) => mode, typed)
  if (match.kind === 'one') return match.item
  throw new UsageFailure(`there is no preset “${typed}”. There are: ${room.preset_modes.join(', ')}`)
}
