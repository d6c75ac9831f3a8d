import { changeWatching, systemClock } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, withStore } from '../context.ts'
import { roomOf } from '../named-room.ts'
import { printJson } from '../output.ts'

interface Flags {
  back?: boolean
  json?: boolean
}

/** Beside the running service, which follows at once. */
export function takeOverCommand(program: Command): void {
  addSettingFlags(
    program.command('take-over <room>').description('heat a room that was only watched while another thermostat did'),
    ['data'],
  )
    .option('--back', 'leave the room to the other thermostat again and only watch it')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: Flags, command: Command) => {
      const onlyWatch = flags.back === true
      const room = await withStore(command, async (store) => {
        const found = await roomOf(store, name)
        await changeWatching(store, systemClock, found, onlyWatch)
        return found
      })
      if (flags.json) printJson({ room, only_watch: onlyWatch })
      else console.log(`${room.name}: ${onlyWatch ? 'only watched from now on' : 'heated by Hypocaust from now on'}`)
    })
}
