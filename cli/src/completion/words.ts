import type { Command } from 'commander'

/** What can follow the commands typed so far: ` key create` and the like, from the root's empty text on. */
export interface Place {
  path: string
  words: string[]
  /** Names of rooms too, which only the service knows. */
  takesRoom: boolean
}

const TAKES_ROOM = ['set', 'off', 'heat', 'preset', 'boost', 'explain', 'programme show', 'programme edit']
const PRESETS = ['none', 'low', 'medium', 'high']

export function wordsOf(command: Command, path = ''): Place[] {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
  const flags = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? [])
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const presets = path === ' preset' ? PRESETS : []
  const words = [...visible.map((each) => each.name()), ...choices, ...presets, ...flags]
  const takesRoom = TAKES_ROOM.some((name) => path === ` ${name}`)
  return [{ path, words, takesRoom }, ...visible.flatMap((each) => wordsOf(each, `${path} ${each.name()}`))]
}
