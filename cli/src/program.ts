import { VERSION } from '@hypocaust/service'
import { Command } from 'commander'
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
