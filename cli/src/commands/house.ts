import type { Command } from 'commander'
import { addSettingFlags, settingsOf } from '../context.ts'
import { askHouse, HOUSE_DEEDS, type HouseDeed } from '../demo/house-socket.ts'

export function houseCommands(program: Command): void {
  const house = program.command('house').description('play with the virtual house of a running demo')
  for (const [deed, description] of Object.entries(HOUSE_DEEDS)) {
    const needsRoom = !deed.endsWith('boiler')
    addSettingFlags(house.command(needsRoom ? `${deed} <room>` : deed).description(description), ['data']).action(
      async (...args: unknown[]) => {
        const command = args.at(-1) as Command
        await askHouse(settingsOf(command).data, deed as HouseDeed, needsRoom ? String(args[0]) : '')
        console.log('Done.')
      },
    )
  }
}
