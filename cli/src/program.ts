import { UsageError, VERSION } from '@hypocaust/service'
import { Command, CommanderError } from 'commander'
import { accountCommands } from './commands/account.ts'
import { brokerCommands } from './commands/broker.ts'
import { buildingCommands } from './commands/building.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { explainCommand } from './commands/explain.ts'
import { gatewayCommands } from './commands/gateway.ts'
import { houseCommands } from './commands/house.ts'
import { keyCommands } from './commands/key.ts'
import { serveCommand } from './commands/serve.ts'
import { UsageFailure } from './failure.ts'

/** Every command with its flags, not yet run. */
export function buildProgram(): Command {
  const program = new Command('hypocaust')
    .description('Floor-heating control')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`hypocaust: ${text.replace(/^error: /, '')}`) })
  serveCommand(program)
  demoCommand(program)
  accountCommands(program)
  buildingCommands(program)
  keyCommands(program)
  gatewayCommands(program)
  brokerCommands(program)
  explainCommand(program)
  houseCommands(program)
  doctorCommand(program)
  return program
}

/** Carries out what stands on the command line. */
export async function runCommand(): Promise<void> {
  try {
    await buildProgram().parseAsync()
  } catch (error) {
    process.exitCode = tell(error)
  }
}

function tell(error: unknown): number {
  // Commander has already printed what it has to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  console.error(`hypocaust: ${error instanceof Error ? error.message : error}`)
  return error instanceof UsageFailure || error instanceof UsageError ? 2 : 1
}
