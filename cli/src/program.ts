import { UsageError, WHOLE_VERSION } from '@hypocaust/service'
import type { Command } from 'commander'
import { accountCommands } from './commands/account.ts'
import { appCommands } from './commands/app.ts'
import { backupCommand } from './commands/backup.ts'
import { brokerCommands } from './commands/broker.ts'
import { buildingCommands } from './commands/building.ts'
import { completionCommand } from './commands/completion.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { explainCommand } from './commands/explain.ts'
import { gatewayCommands } from './commands/gateway.ts'
import { houseCommands } from './commands/house.ts'
import { keyCommands } from './commands/key.ts'
import { manCommand } from './commands/man.ts'
import { matterCommand } from './commands/matter.ts'
import { migrateStoreCommand } from './commands/migrate-store.ts'
import { operatorCommands } from './commands/operator.ts'
import { programmeCommands } from './commands/programme.ts'
import { reportCommand } from './commands/report.ts'
import { restoreCommand } from './commands/restore.ts'
import { serveCommand } from './commands/serve.ts'
import { takeOverCommand } from './commands/take-over.ts'
import { tlsCommands } from './commands/tls.ts'
import { addHolderCommands } from './holder-program.ts'
import { carryOut, emptyProgram } from './run.ts'

/** Every command with its flags, not yet run. */
export function buildProgram(): Command {
  const program = emptyProgram().version(WHOLE_VERSION)
  serveCommand(program)
  demoCommand(program)
  accountCommands(program)
  buildingCommands(program)
  keyCommands(program)
  appCommands(program)
  gatewayCommands(program)
  brokerCommands(program)
  operatorCommands(program)
  explainCommand(program)
  programmeCommands(program)
  takeOverCommand(program)
  backupCommand(program)
  restoreCommand(program)
  migrateStoreCommand(program)
  houseCommands(program)
  tlsCommands(program)
  matterCommand(program)
  doctorCommand(program)
  reportCommand(program)
  addHolderCommands(program)
  completionCommand(program)
  manCommand(program)
  return program
}

/** Carries out what stands on the command line. */
export const runCommand = (): Promise<void> => carryOut(buildProgram(), (error) => error instanceof UsageError)
