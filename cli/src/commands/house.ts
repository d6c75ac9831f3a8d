import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { askHouse, HOUSE_DEEDS, type HouseDeed } from '../demo/house-socket.ts'
import { printJson } from '../output.ts'

export function houseCommands(program: Command): void {
  const house = program.command('house').description('play with the virtual house of a running demo')
  for (const [deed, description] of Object.entries(HOUSE_DEEDS)) {
    const needsRoom = !deed.endsWith('boiler')
    addSettingFlags(house.command(needsRoom ? `${deed} <room>` : deed).description(description), ['data'])
      .option('--json', 'print JSON')
      .action(async (...args: unknown[]) => {
        const command = args.at(-1) as Command
        const room = needsRoom ? String(args[0]) : ''
        await askHouse(settingsOf(command).data, deed as HouseDeed, room)
        if (command.opts<{ json?: boolean }>().json) printJson({ deed, ...(needsRoom && { room }) })
        else console.log('Done.')
      })
  }
}
