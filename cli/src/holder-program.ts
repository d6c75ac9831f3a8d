import type { Command } from 'commander'
import { awayCommands } from './commands/away.ts'
import { calendarCommands } from './commands/calendar.ts'
import { energyCommand } from './commands/energy.ts'
import { loginCommands } from './commands/login.ts'
import { mcpCommand } from './commands/mcp.ts'
import { presenceCommand } from './commands/presence.ts'
import { roomsCommand } from './commands/rooms.ts'
import { setCommands } from './commands/set.ts'
import { carryOut, emptyProgram } from './run.ts'

/** The commands that need an address and a key, and nothing of the service itself. */
export function addHolderCommands(program: Command): Command {
  loginCommands(program)
  roomsCommand(program)
  setCommands(program)
  awayCommands(program)
  presenceCommand(program)
  calendarCommands(program)
  energyCommand(program)
  mcpCommand(program)
  return program
}

/** Carries out a holder's command without loading the service; whether it was one. */
export async function runHolderCommand(name: string): Promise<boolean> {
  const program = addHolderCommands(emptyProgram())
  const isKnown = program.commands.some((command) => command.name() === name)
  if (isKnown) await carryOut(program, () => false)
  return isKnown
}
